package dev.animalstore.operator;

import dev.animalstore.web.FilterPriorities;
import dev.animalstore.web.error.ApiException;
import dev.animalstore.web.error.ErrorCode;
import dev.animalstore.web.http.Area;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.ConfigValidationException.Problem;
import io.smallrye.config.WithDefault;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.NotFoundException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

/**
 * The names of the operators and their tokens, of which there may be none. The time of a look-up reveals neither the tokens nor their number.
 */
@Singleton
public final class Operators {
    private static final String ADMIN = "admin";

    private static final String HMAC = "HmacSHA256";

    /** How the tokens begin that development and the documents use. */
    private static final String PUBLISHED = "operators-token-for-";

    private static final String LOOPBACK = "(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]*)?";

    private final Map<String, byte[]> tokens = new HashMap<>();

    /** By the HMAC of the token. Its key never leaves this process, so the time of a look-up tells an attacker nothing about a token. */
    private final Map<String, String> names = new HashMap<>();

    private final Set<String> readers;
    private final byte[] ownKey = new byte[32];
    private final List<String> faults = new ArrayList<>();
    private final boolean alone;
    private boolean isPublished;

    Operators(Config config) {
        alone = config.only();
        new SecureRandom().nextBytes(ownKey);
        config.token().ifPresent(token -> add(ADMIN, token, "animalstore.admin.token"));
        new TreeMap<>(config.tokens()).forEach((key, token) -> {
            String name = normal(key);
            add(name, token, "animalstore.admin.tokens." + name);
        });
        readers = config.readers().stream()
                .flatMap(Set::stream)
                .map(Operators::normal)
                .collect(Collectors.toSet());
        readers.stream()
                .filter(reader -> areConfigured() && !tokens.containsKey(reader))
                .forEach(reader -> faults.add("animalstore.admin.readers has " + reader + ", who is no operator"));
    }

    private static String normal(String name) {
        return name.replaceAll("[._]", "-").toLowerCase(Locale.ROOT);
    }

    private void add(String name, String token, String setting) {
        if (token.startsWith(PUBLISHED)) {
            isPublished = true;
            if (LaunchMode.current() == LaunchMode.NORMAL) {
                faults.add(setting + " is one that the documents show");
            }
        }
        if (tokens.put(name, token.getBytes(StandardCharsets.UTF_8)) != null) {
            faults.add(setting + " has the name of another operator");
        }
        if (names.put(sign(ownKey, token), name) != null) {
            faults.add(setting + " is the token of another operator too");
        }
    }

    /** Prevents the start if a token is not of one operator only, or, in production, a published one, or if a reader has none. */
    void verify(@Observes StartupEvent start) {
        if (!faults.isEmpty()) {
            throw new ConfigValidationException(
                    faults.stream().map(Problem::new).toArray(Problem[]::new));
        }
    }

    /** On a replica for operators only the API does not exist. */
    void hideApi(@Observes Filters filters) {
        if (alone) {
            filters.register(
                    exchange -> {
                        if (Area.of(exchange) == Area.API) {
                            exchange.fail(StatusCode.NOT_FOUND);
                        } else {
                            exchange.next();
                        }
                    },
                    FilterPriorities.ABSENT);
        }
    }

    /** Whether a token is configured. Without one {@code /admin} and the console are disabled. */
    public boolean areConfigured() {
        return !tokens.isEmpty();
    }

    /**
     * Refuses a request if no token is configured, or if a published one is and the request names another host than this machine. A web page
     * could otherwise send requests with that token through a name of its own that leads here (DNS rebinding).
     *
     * @throws NotFoundException without a token
     * @throws ApiException {@code not_found} for another host
     */
    public void verifyServed(HostAndPort authority) {
        if (!areConfigured()) {
            throw new NotFoundException();
        }
        if (isPublished && !String.valueOf(authority).matches(LOOPBACK)) {
            throw new ApiException(
                    ErrorCode.NOT_FOUND,
                    "The operators' token is a published one, which is served for localhost only."
                            + " Set ANIMALSTORE_ADMIN_TOKEN to a secret one.");
        }
    }

    public Optional<String> find(String token) {
        return Optional.ofNullable(names.get(sign(ownKey, token)));
    }

    /** Records that an operator has sent a request. */
    public void signIn(String name, RoutingContext exchange) {
        Operator.signIn(name, readers.contains(name), exchange);
    }

    /**
     * A signature of a text by an operator's token, which does not reveal the token. It is the same on all replicas that have that token. If
     * there is no such operator, nobody else can make it.
     */
    public String sign(String operator, String text) {
        return sign(tokens.getOrDefault(operator, ownKey), text);
    }

    /** HMAC-SHA-256, in base64url. */
    private static String sign(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The access to {@code /admin} and the console, which are 404 without a token. */
    @ConfigMapping(prefix = "animalstore.admin")
    interface Config {
        String TOKEN = "[!-~]{32,}";
        String TOKEN_RULE = "must be at least 32 characters of printable ASCII";

        /** A name is in lines of the log and in cookies. {@value Operator#NOBODY} is that of nobody. */
        String NAME = "(?i)(?!" + Operator.NOBODY + "$)[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?";

        String NAME_RULE = "must have a name of up to 63 letters, digits and -, other than " + Operator.NOBODY;

        Optional<@Pattern(regexp = TOKEN, message = TOKEN_RULE) String> token();

        /** By the names, in which the case does not matter, and a dot, as SmallRye reads {@code _}, stands for {@code -}. */
        Map<@Pattern(regexp = NAME, message = NAME_RULE) String, @Pattern(regexp = TOKEN, message = TOKEN_RULE) String>
                tokens();

        /** Whether the replica serves operators, and no customers. */
        @WithDefault("false")
        boolean only();

        /** The names of those who may change nothing, which matter only if there are tokens. */
        Optional<Set<String>> readers();
    }
}
