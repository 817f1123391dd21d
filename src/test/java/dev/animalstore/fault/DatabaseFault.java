package dev.animalstore.fault;

import dev.animalstore.process.PostgresProcess;
import java.io.IOException;
import java.sql.SQLException;

/** Faults of PostgreSQL, and how they end. Each is caused on a real server; some end the connections of the service as well. */
enum DatabaseFault {
    KILLED(false, "", ""),
    HUNG(false, "", ""),
    OUT_OF_CONNECTIONS(true, "alter role service connection limit 0", "alter role service connection limit -1"),
    READ_ONLY(
            false,
            "alter system set default_transaction_read_only = on",
            "alter system reset default_transaction_read_only"),
    READ_ONLY_LATER(
            true,
            "alter database postgres set default_transaction_read_only = on",
            "alter database postgres reset default_transaction_read_only"),
    NO_LOG_IN(true, "alter role service nologin", "alter role service login"),
    ANOTHER_PASSWORD(true, "alter role service password 'new'", "alter role service password 'old'"),
    /** The database may not be connected to, a right whose lack during a statement would concern that statement only. */
    NO_RIGHT_TO_CONNECT(
            true, "revoke connect on database postgres from public", "grant connect on database postgres to public"),
    /** The table of pets, which is being restored, may not be written. */
    NO_RIGHT_TO_WRITE(false, "revoke insert on pet from service", "grant insert on pet to service"),
    /** The server dies, and its standby is told to take over. This has to be the last fault, since the server does not return. */
    FAILED_OVER(false, "", "");

    private final boolean endsConnections;
    private final String begin;
    private final String end;

    DatabaseFault(boolean endsConnections, String begin, String end) {
        this.endsConnections = endsConnections;
        this.begin = begin;
        this.end = end;
    }

    void begin(PostgresProcess server) throws IOException, SQLException {
        switch (this) {
            case KILLED, FAILED_OVER -> server.kill();
            case HUNG -> server.hang();
            default -> server.execute(begin, "select pg_reload_conf()");
        }
        if (endsConnections) {
            server.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service'");
        }
    }

    /** @param server the standby if it takes over */
    void end(PostgresProcess server) throws IOException, SQLException {
        switch (this) {
            case KILLED -> server.start();
            case HUNG -> server.goOn();
            case FAILED_OVER -> server.execute("alter system reset synchronous_standby_names", "select pg_promote()");
            default -> server.execute("set default_transaction_read_only = off", end, "select pg_reload_conf()");
        }
    }
}
