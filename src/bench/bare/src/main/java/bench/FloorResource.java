package bench;

import io.quarkus.runtime.Startup;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The least that a metered list can cost: one run of the service's own script on one connection for all, and the bytes of a page. It checks no
 * key, and has no timeout, header, error or page but this one.
 */
@Path("/floor")
@Singleton
@Startup
public class FloorResource {
    private static final byte[] PAGE = IntStream.range(0, 20)
            .mapToObj(n -> "{\"id\":" + n + ",\"name\":\"Pet " + n + "\",\"categoryId\":" + n + ",\"status\":\"available\"}")
            .collect(Collectors.joining(",", "{\"items\":[", "],\"next\":\"/v1/pets?limit=20&cursor=AAAAAAAAABQ\"}"))
            .getBytes(StandardCharsets.UTF_8);

    private final Context loop;
    private final RedisConnection redis;
    private final Response sha;

    public FloorResource(Vertx vertx, @ConfigProperty(name = "floor.redis") String address) throws IOException {
        loop = vertx.getOrCreateContext();
        try (InputStream script = FloorResource.class.getResourceAsStream("/quota.lua")) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            RedisOptions options = new RedisOptions().setConnectionString(address).setMaxWaitingHandlers(10_000);
            redis = await(Redis.createClient(vertx, options).connect());
            sha = await(redis.send(Request.cmd(Command.SCRIPT).arg("LOAD").arg(text)));
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    @GET
    @NonBlocking
    @Produces(MediaType.APPLICATION_JSON)
    public CompletionStage<byte[]> list(@HeaderParam("Authorization") String key) {
        Promise<byte[]> page = Promise.promise();
        loop.runOnContext(ignored -> redis.send(Request.cmd(Command.EVALSHA)
                        .arg(sha.toBuffer())
                        .arg(1)
                        .arg("floor:{" + key + "}")
                        .arg(1)
                        .arg(1_000_000_000)
                        .arg(1_000_000_000)
                        .arg("")
                        .arg(1)
                        .arg("1.0 60000 2000 300000 3600000 86400000")
                        .arg(0))
                .onSuccess(decision -> page.complete(isAdmitted(decision.toBuffer()) ? PAGE : new byte[0]))
                .onFailure(page::fail));
        return page.future().toCompletionStage();
    }

    private static boolean isAdmitted(Buffer decision) {
        return decision.getDouble(0) == 0;
    }
}
