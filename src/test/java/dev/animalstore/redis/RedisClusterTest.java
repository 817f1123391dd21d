package dev.animalstore.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.util.JedisClusterCRC16;

class RedisClusterTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "123456789", "animalstore:live:{2}", "animalstore:live:{123456}", "animalstore:live:catalogue",
                "animalstore:live:probe:{17}", "{}empty", "open{", "ü{ö}"
            })
    void slot_ofAKey_isThatOfRedis(String key) {
        assertEquals(JedisClusterCRC16.getSlot(key), RedisCluster.slot(key));
    }
}
