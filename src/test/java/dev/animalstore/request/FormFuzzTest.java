package dev.animalstore.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import dev.animalstore.fixture.Fuzz;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forms are read as browsers write them, or refused as the client's error. */
class FormFuzzTest {
    @ParameterizedTest
    @CsvSource({
        "a=1,1",
        "a=b+c%20d,b c d",
        "b=2&a=%C3%A4%F0%9F%98%80,ä😀",
        "a,''",
        "a=,''",
        "b=1,''",
        "a=%3D%26%25,=&%",
        "&&a=1&,1"
    })
    void field_ofAForm_isRead(String body, String value) {
        assertEquals(value, Form.parse(body.getBytes(StandardCharsets.UTF_8)).text("a"));
    }

    @Test
    void forms_madeFromValidOnes_areReadOrRefused() {
        List<String> seeds = List.of(
                "owner=Acme+Zoo&plan=free&limits.perMinute=5&expiresAt=2030-12-05T00%3A00",
                "owner=" + URLEncoder.encode("Müller 😀 & <b>", StandardCharsets.UTF_8) + "&form=AAAA_-",
                "a=%00%0D%0A&b=%25");
        Fuzz.run(seeds, FormFuzzTest::read);
    }

    /** Checks that the fields are the same after they are written as browsers write them, and read again. */
    private static void read(String body) {
        try {
            String owner =
                    Form.parse(body.getBytes(StandardCharsets.ISO_8859_1)).text("owner");
            String written = "owner=" + URLEncoder.encode(owner, StandardCharsets.UTF_8);
            assertEquals(
                    owner,
                    Form.parse(written.getBytes(StandardCharsets.US_ASCII)).text("owner"));
        } catch (ApiException refusal) {
            assertEquals(ErrorCode.VALIDATION_FAILED, refusal.code());
        }
    }
}
