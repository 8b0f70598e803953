package io.weir.operators.function;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.InetText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The samples of the specification: github.com/corelight/community-id-spec, baseline. */
class CommunityIdTest {
    private static final String ONE = "fe80:1:203:405:607:809:a0b:c0d";
    private static final String TWO = "fe80:1011:1213:1415:1617:1819:1a1b:1c1d";

    @ParameterizedTest
    @CsvSource({
        "6, 1.2.3.4, 5.6.7.8, 1122, 3344, 1:wCb3OG7yAFWelaUydu0D+125CLM=",
        "6, 5.6.7.8, 1.2.3.4, 3344, 1122, 1:wCb3OG7yAFWelaUydu0D+125CLM=",
        "17, 1.2.3.4, 5.6.7.8, 1122, 3344, 1:0Mu9InQx6z4ZiCZM/7HXi2WMhOg=",
        "17, 5.6.7.8, 1.2.3.4, 3344, 1122, 1:0Mu9InQx6z4ZiCZM/7HXi2WMhOg=",
        "132, 1.2.3.4, 5.6.7.8, 1122, 3344, 1:EKt4MsxuyaE6mL+hmrEkQ9csDD8=",
        "132, 5.6.7.8, 1.2.3.4, 3344, 1122, 1:EKt4MsxuyaE6mL+hmrEkQ9csDD8=",
        "1, 1.2.3.4, 5.6.7.8, 8, 0, 1:crodRHL2FEsHjbv3UkRrfbs4bZ0=",
        "1, 5.6.7.8, 1.2.3.4, 0, 0, 1:crodRHL2FEsHjbv3UkRrfbs4bZ0=",
        "1, 1.2.3.4, 5.6.7.8, 11, 0, 1:f/YiSyWqczrTgfUCZlBUnvHRcPk=",
        "58, " + ONE + ", " + TWO + ", 128, 0, 1:0bf7hyMJUwt3fMED7z8LIfRpBeo=",
        "58, " + TWO + ", " + ONE + ", 129, 0, 1:0bf7hyMJUwt3fMED7z8LIfRpBeo=",
        "58, " + ONE + ", " + TWO + ", 146, 0, 1:fYC8+pz24E+EhANP1EZhpX0Dw10=",
        "46, 1.2.3.4, 5.6.7.8, 0, 0, 1:ikv3kmf89luf73WPz1jOs49S768=",
        "46, 5.6.7.8, 1.2.3.4, 0, 0, 1:ikv3kmf89luf73WPz1jOs49S768=",
        "46, " + ONE + ", " + TWO + ", 0, 0, 1:wQ/2mwrnXP4lmJcHdGL5ePjR+e0=",
        "46, " + TWO + ", " + ONE + ", 0, 0, 1:wQ/2mwrnXP4lmJcHdGL5ePjR+e0="
    })
    void anIdIsThatOfTheSpecification(
            long protocol, String source, String target, long from, long to, String id) {
        Inet a = InetText.parse(source).orElseThrow();
        Inet b = InetText.parse(target).orElseThrow();
        boolean icmp = CommunityId.needsType(protocol);
        assertEquals(
                id,
                CommunityId.of(
                        a.family(),
                        a.high(),
                        a.low(),
                        b.high(),
                        b.low(),
                        icmp ? 0 : from,
                        icmp ? 0 : to,
                        protocol,
                        icmp ? from : 0,
                        icmp ? to : 0));
    }
}
