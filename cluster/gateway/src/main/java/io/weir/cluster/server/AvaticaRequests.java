package io.weir.cluster.server;

import io.weir.cluster.http.HttpStep.Answer;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.NoSuchConnectionException;
import org.apache.calcite.avatica.metrics.noop.NoopMetricsSystem;
import org.apache.calcite.avatica.remote.AvaticaRuntimeException;
import org.apache.calcite.avatica.remote.Handler.HandlerResponse;
import org.apache.calcite.avatica.remote.ProtobufHandler;
import org.apache.calcite.avatica.remote.ProtobufTranslation;
import org.apache.calcite.avatica.remote.ProtobufTranslationImpl;
import org.apache.calcite.avatica.remote.Service;
import org.apache.calcite.avatica.remote.Service.ErrorResponse;

/**
 * Answers Avatica's requests in protobuf. Avatica's own handler sends stack traces to clients. This
 * one sends one sentence and an SQLSTATE for every failure. Thread-safe.
 */
final class AvaticaRequests {
    private static final String PROTOCOL_VIOLATION = "08P01";

    private final ProtobufTranslation translation = new ProtobufTranslationImpl();
    private final ProtobufHandler handler;
    private final Map<String, String> headers;

    /**
     * @param headers of each answer
     */
    AvaticaRequests(Service service, Map<String, String> headers) {
        handler = new Handler(service, translation);
        this.headers = Map.copyOf(headers);
    }

    Answer answer(byte[] request) {
        HandlerResponse<byte[]> response =
                isMessage(request) ? handler.apply(request) : malformed();
        return new Answer(response.getStatusCode(), headers, response.getResponse());
    }

    private boolean isMessage(byte[] request) {
        try {
            return translation.parseRequest(request) != null;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private HandlerResponse<byte[]> malformed() {
        String text =
                "error MALFORMED_BYTES: the request is no message of Avatica in protobuf\n"
                        + "hint: Avatica's own driver needs serialization=PROTOBUF";
        return error(translation, 400, text, Errors.CODE, PROTOCOL_VIOLATION);
    }

    private static HandlerResponse<byte[]> error(
            ProtobufTranslation translation, int status, String text, int code, String state) {
        try {
            return new HandlerResponse<>(
                    translation.serializeResponse(
                            new ErrorResponse(
                                    List.of(), text, code, state, AvaticaSeverity.ERROR, null)),
                    status);
        } catch (IOException e) {
            return new HandlerResponse<>(new byte[0], 500);
        }
    }

    /** Avatica's handler, with our errors. */
    private static final class Handler extends ProtobufHandler {
        private final ProtobufTranslation translation;

        Handler(Service service, ProtobufTranslation translation) {
            super(service, translation, NoopMetricsSystem.getInstance());
            this.translation = translation;
        }

        @Override
        public HandlerResponse<byte[]> apply(byte[] request) {
            try {
                return super.apply(request);
            } catch (StackOverflowError e) {
                return convertToErrorResponse(new IllegalStateException(e.toString()));
            }
        }

        @Override
        public HandlerResponse<byte[]> convertToErrorResponse(Exception e) {
            if (e instanceof NoSuchConnectionException) {
                int missing = ErrorResponse.MISSING_CONNECTION_ERROR_CODE;
                return error(translation, 500, e.getMessage(), missing, "08003");
            } else if (e instanceof AvaticaRuntimeException ours) {
                return error(
                        translation,
                        500,
                        ours.getErrorMessage(),
                        ours.getErrorCode(),
                        ours.getSqlState());
            }
            WeirException internal = new WeirException(ErrorCode.INTERNAL, String.valueOf(e));
            return error(translation, 500, internal.text(), Errors.CODE, Errors.state(internal));
        }
    }
}
