package dev.animalstore.console;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** A session that was signed out before it expired. */
@Entity
@Immutable
@Table(name = "console_session_end")
class SessionEnd extends PanacheEntityBase {
    /** How long a row is kept after its session has expired, since a replica whose clock is behind accepts the session for longer. */
    private static final Duration MARGIN = Sessions.LENGTH.multipliedBy(2).plusDays(1);

    /** The identifier of the session. */
    @Id
    String session;

    /** When it would have expired, after which the row is no longer needed. */
    Instant expiresAt;

    /** Records a sign-out, which may be recorded already, and deletes rows of sessions that expired long ago. */
    static void add(Session ended, Instant now) {
        delete("expiresAt < ?1", now.minus(MARGIN));
        getEntityManager()
                .createNativeQuery(
                        "insert into console_session_end (session, expires_at) values (?1, ?2) on conflict do nothing")
                .setParameter(1, ended.id())
                .setParameter(2, ended.expiresAt())
                .executeUpdate();
    }
}
