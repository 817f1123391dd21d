package dev.animalstore.fault;

import dev.animalstore.process.PostgresProcess;
import java.io.IOException;
import java.sql.SQLException;

/** Faults of PostgreSQL, and how they end. Each is caused on a real server. */
enum DatabaseFault {
    KILLED,
    HUNG,
    OUT_OF_CONNECTIONS,
    READ_ONLY,
    /** New connections are read-only, and those from before are ended. */
    READ_ONLY_LATER,
    NO_LOG_IN,
    ANOTHER_PASSWORD,
    /** The database may not be connected to, a right whose lack during a statement would concern that statement only. */
    NO_RIGHT_TO_CONNECT,
    /** The table of pets, which is being restored, may not be written. */
    NO_RIGHT_TO_WRITE,
    /** The server dies, and its standby is told to take over. This has to be the last fault, since the server does not return. */
    FAILED_OVER;

    private static final String END_CONNECTIONS =
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service'";

    void begin(PostgresProcess server) throws IOException, SQLException {
        switch (this) {
            case KILLED, FAILED_OVER -> server.kill();
            case HUNG -> server.hang();
            case OUT_OF_CONNECTIONS -> server.execute("alter role service connection limit 0", END_CONNECTIONS);
            case READ_ONLY ->
                server.execute("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
            case READ_ONLY_LATER ->
                server.execute("alter database postgres set default_transaction_read_only = on", END_CONNECTIONS);
            case NO_LOG_IN -> server.execute("alter role service nologin", END_CONNECTIONS);
            case ANOTHER_PASSWORD -> server.execute("alter role service password 'new'", END_CONNECTIONS);
            case NO_RIGHT_TO_CONNECT ->
                server.execute("revoke connect on database postgres from public", END_CONNECTIONS);
            case NO_RIGHT_TO_WRITE -> server.execute("revoke insert on pet from service");
        }
    }

    /** @param server the standby if it takes over */
    void end(PostgresProcess server) throws IOException, SQLException {
        switch (this) {
            case KILLED -> server.start();
            case HUNG -> server.goOn();
            case OUT_OF_CONNECTIONS -> server.execute("alter role service connection limit -1");
            case READ_ONLY_LATER ->
                server.execute(
                        "set default_transaction_read_only = off",
                        "alter database postgres reset default_transaction_read_only");
            case NO_LOG_IN -> server.execute("alter role service login");
            case ANOTHER_PASSWORD -> server.execute("alter role service password 'old'");
            case NO_RIGHT_TO_CONNECT -> server.execute("grant connect on database postgres to public");
            case NO_RIGHT_TO_WRITE -> server.execute("grant insert on pet to service");
            case READ_ONLY ->
                server.execute(
                        "set default_transaction_read_only = off",
                        "alter system reset default_transaction_read_only",
                        "select pg_reload_conf()");
            case FAILED_OVER -> server.execute("alter system reset synchronous_standby_names", "select pg_promote()");
        }
    }
}
