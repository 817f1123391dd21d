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
import java.util.function.UnaryOperator;

/** A Lua script, run by its SHA-1, and sent as a whole if a server does not know it yet. */
public final class Script {
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

    /** Runs the script on one key, by a command to which its arguments are added. */
    public Future<Response> run(
            Function<Request, Future<Response>> send, String key, UnaryOperator<Request> arguments) {
        return send.apply(arguments.apply(
                        Request.cmd(Command.EVALSHA).arg(sha1).arg(1).arg(key)))
                .recover(failure -> String.valueOf(failure.getMessage()).startsWith("NOSCRIPT")
                        ? send.apply(arguments.apply(
                                Request.cmd(Command.EVAL).arg(source).arg(1).arg(key)))
                        : Future.failedFuture(failure));
    }
}
