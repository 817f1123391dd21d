package bench;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.Instant;

@Entity
@Table(name = "api_key", schema = "metering")
class ApiKey {
    @Id
    Long id;

    @ManyToOne(fetch = FetchType.EAGER)
    @JoinColumn(name = "plan")
    Plan plan;

    Integer perMinute;
    Integer perDay;
    Instant expiresAt;
    Instant revokedAt;

    @Entity
    @Table(name = "plan", schema = "metering")
    static class Plan {
        @Id
        String name;

        Integer perMinute;
        Integer perDay;
    }

    @Entity(name = "Secret")
    @Table(name = "api_key_secret", schema = "metering")
    static class Secret {
        @Id
        Long id;

        @ManyToOne(fetch = FetchType.LAZY)
        ApiKey key;

        byte[] hash;
        Instant expiresAt;
    }
}
