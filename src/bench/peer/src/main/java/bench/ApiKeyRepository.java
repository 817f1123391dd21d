package bench;

import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface ApiKeyRepository extends JpaRepository<ApiKey, Long> {
    @Query("""
            select k from Secret s join s.key k join fetch k.plan
            where s.hash = ?1 and k.revokedAt is null
              and (k.expiresAt is null or k.expiresAt > instant) and (s.expiresAt is null or s.expiresAt > instant)""")
    Optional<ApiKey> findUsable(byte[] hash);
}
