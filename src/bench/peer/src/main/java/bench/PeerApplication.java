package bench;

import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The catalogue with keys and quotas, as a Spring developer builds it in an afternoon. It uses the service's own tables. */
@SpringBootApplication
public class PeerApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PeerApplication.class, arguments);
    }

    @Bean(destroyMethod = "shutdown")
    RedisClient redis(@Value("${redis.url}") String url) {
        return RedisClient.create(url);
    }

    @Bean
    ProxyManager<byte[]> buckets(RedisClient redis) {
        return Bucket4jLettuce.casBasedBuilder(redis.connect(ByteArrayCodec.INSTANCE))
                .expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofMinutes(1)))
                .build();
    }
}
