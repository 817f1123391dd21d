package dev.animalstore.contract;

import io.quarkus.test.junit.callback.QuarkusTestAfterAllCallback;
import io.quarkus.test.junit.callback.QuarkusTestBeforeClassCallback;
import io.quarkus.test.junit.callback.QuarkusTestContext;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Compares every exchange of REST Assured in every Quarkus test with the API document. The class is registered as a service, so tests need
 * not call it. The comparisons are counted in {@code target/exchanges.md}.
 */
public final class EveryExchange implements QuarkusTestBeforeClassCallback, QuarkusTestAfterAllCallback {
    private static final ExchangeCount COUNT = new ExchangeCount();
    private static final ExchangeFilter FILTER = new ExchangeFilter(COUNT);

    @Override
    public void beforeClass(Class<?> testClass) {
        if (!RestAssured.filters().contains(FILTER)) {
            RestAssured.filters(FILTER);
        }
    }

    @Override
    public void afterAll(QuarkusTestContext context) {
        try {
            COUNT.write(Path.of("target", "exchanges.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many exchanges were compared so far. */
    static long count() {
        return COUNT.total();
    }
}
