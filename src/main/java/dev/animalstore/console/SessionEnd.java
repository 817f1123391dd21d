package dev.animalstore.console;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Duration;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** A session that was ended before its time. */
@Entity
@Immutable
@Table(name = "console_session_end")
class SessionEnd extends PanacheEntityBase {
    /** How long a row is kept beyond its session, since a replica whose clock is behind accepts the session for longer. */
    private static final Duration MARGIN = Sessions.LENGTH.multipliedBy(2).plusDays(1);

    /** Names the session. */
    @Id
    String session;

    /** When it would have ended by itself, after which the row says nothing new. */
    Instant expiresAt;

    /** Records the end of a session, which may be recorded already, and forgets those that ended by themselves long ago. */
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
