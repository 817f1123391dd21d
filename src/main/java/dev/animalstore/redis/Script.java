package dev.animalstore.redis;

import io.quarkus.runtime.util.HashUtil;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** A Lua script, run by its SHA-1, and sent as a whole if a server does not know it yet. */
public final class Script {
    private static final byte[] ONE_KEY = {'1'};

    private final byte[] source;
    private final byte[] sha1;

    private Script(byte[] source) {
        this.source = source;
        this.sha1 = HashUtil.sha1(source).getBytes(StandardCharsets.US_ASCII);
    }

    /** Loads a script from a resource in the package of its user. */
    public static Script load(Class<?> user, String resource) {
        try (InputStream in = user.getResourceAsStream(resource)) {
            return new Script(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs the script on one key.
     *
     * @param send sends a command to Redis
     * @param arguments numbers, texts and arrays of bytes
     */
    public Future<Response> run(Function<Request, Future<Response>> send, String key, Object... arguments) {
        return send.apply(command(Command.EVALSHA, sha1, key, arguments))
                .recover(failure -> String.valueOf(failure.getMessage()).startsWith("NOSCRIPT")
                        ? send.apply(command(Command.EVAL, source, key, arguments))
                        : Future.failedFuture(failure));
    }

    private static Request command(Command command, byte[] script, String key, Object... arguments) {
        Object[] all = new Object[arguments.length + 3];
        all[0] = script;
        all[1] = ONE_KEY;
        all[2] = key;
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return Request.cmd(command, all);
    }
}
