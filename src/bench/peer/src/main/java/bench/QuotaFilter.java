package bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/** Checks the bearer key, in memory or by one query, and takes a token of its bucket in Redis, which has both windows. */
@Component
class QuotaFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";

    private final ApiKeyRepository keys;
    private final ProxyManager<byte[]> buckets;
    private final JsonMapper json;
    private final Cache<String, Optional<Caller>> callers =
            Caffeine.newBuilder().maximumSize(200_000).expireAfterWrite(Duration.ofSeconds(30)).build();

    QuotaFilter(ApiKeyRepository keys, ProxyManager<byte[]> buckets, JsonMapper json) {
        this.keys = keys;
        this.buckets = buckets;
        this.json = json;
    }

    record Caller(byte[] bucket, int perMinute, BucketConfiguration limits) {}

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getRequestURI().startsWith("/v1/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        Optional<Caller> caller = header == null || !header.startsWith(SCHEME)
                ? Optional.empty()
                : callers.get(hash(header.substring(SCHEME.length())), this::find);
        if (caller.isEmpty()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"peer\"");
            refuse(response, HttpStatus.UNAUTHORIZED, "invalid_api_key", "The API key is not valid.");
            return;
        }
        ConsumptionProbe probe = buckets.builder()
                .build(caller.get().bucket(), caller.get()::limits)
                .tryConsumeAndReturnRemaining(1);
        long reset = Instant.now().plusNanos(probe.getNanosToWaitForReset()).getEpochSecond() + 1;
        response.setHeader("X-RateLimit-Limit", Integer.toString(caller.get().perMinute()));
        response.setHeader("X-RateLimit-Remaining", Long.toString(probe.getRemainingTokens()));
        response.setHeader("X-RateLimit-Reset", Long.toString(reset));
        if (probe.isConsumed()) {
            chain.doFilter(request, response);
            return;
        }
        long seconds = Duration.ofNanos(probe.getNanosToWaitForRefill()).toSeconds() + 1;
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        refuse(response, HttpStatus.TOO_MANY_REQUESTS, "rate_limit_exceeded", "The quota is exceeded. Retry in " + seconds + " s.");
    }

    private Optional<Caller> find(String hash) {
        return keys.findUsable(HexFormat.of().parseHex(hash)).map(key -> {
            int perMinute = key.plan.perMinute == null ? key.perMinute : key.plan.perMinute;
            int perDay = key.plan.perDay == null ? key.perDay : key.plan.perDay;
            return new Caller(
                    ("quota:" + key.id).getBytes(StandardCharsets.UTF_8),
                    perMinute,
                    BucketConfiguration.builder()
                            .addLimit(window("minute", perMinute, Duration.ofMinutes(1)))
                            .addLimit(window("day", perDay, Duration.ofDays(1)))
                            .build());
        });
    }

    private static Bandwidth window(String name, int limit, Duration length) {
        return Bandwidth.builder().capacity(limit).refillIntervally(limit, length).id(name).build();
    }

    private void refuse(HttpServletResponse response, HttpStatus status, String code, String message) throws IOException {
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        json.writeValue(response.getOutputStream(), new ApiError(code, message, status.value()));
    }

    private static String hash(String key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
