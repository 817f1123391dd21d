package dev.animalstore.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;

/** A Lua script, run by its SHA-1, and sent as a whole if a server does not know it yet. */
public final class Script {
    private final String source;
    private final String sha1;

    private Script(String source) {
        this.source = source;
        this.sha1 = sha1(source);
    }

    /** Loads a script from a resource in the package of its user. */
    public static Script load(Class<?> user, String resource) {
        try (InputStream in = user.getResourceAsStream(resource)) {
            return new Script(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs the script on one key.
     *
     * @param send sends a command to Redis
     */
    public Future<Response> run(Function<Request, Future<Response>> send, String key, long... arguments) {
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = Long.toString(arguments[i]);
        }
        return run(send, key, texts);
    }

    /** Runs the script on one key. */
    public Future<Response> run(Function<Request, Future<Response>> send, String key, String... arguments) {
        return send.apply(command(Command.EVALSHA, sha1, key, arguments))
                .recover(failure -> String.valueOf(failure.getMessage()).startsWith("NOSCRIPT")
                        ? send.apply(command(Command.EVAL, source, key, arguments))
                        : Future.failedFuture(failure));
    }

    private static Request command(Command command, String script, String key, String... arguments) {
        Request request = Request.cmd(command).arg(script).arg(1).arg(key);
        for (String argument : arguments) {
            request.arg(argument);
        }
        return request;
    }

    private static String sha1(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform supports SHA-1.", e);
        }
    }
}
