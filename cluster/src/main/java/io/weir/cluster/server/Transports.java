package io.weir.cluster.server;

import java.net.URL;
import org.apache.calcite.avatica.ConnectionConfig;
import org.apache.calcite.avatica.remote.AvaticaHttpClient;
import org.apache.calcite.avatica.remote.AvaticaHttpClientFactory;
import org.apache.calcite.avatica.remote.KerberosConnection;

/** What Avatica is told of a connection becomes its transport. Avatica makes this by name. */
public final class Transports implements AvaticaHttpClientFactory {
    @Override
    public AvaticaHttpClient getClient(
            URL url, ConnectionConfig config, KerberosConnection kerberos) {
        return new HttpTransport(
                url, config.avaticaUser(), config.avaticaPassword(), config.truststore());
    }
}
