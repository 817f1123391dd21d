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
    /** The server dies, and its standby is told to take over. This has to be the last fault, since the server does not return. */
    FAILED_OVER;

    void begin(PostgresProcess server) throws IOException, SQLException {
        switch (this) {
            case KILLED, FAILED_OVER -> server.kill();
            case HUNG -> server.hang();
            case OUT_OF_CONNECTIONS -> server.takeAllConnections();
            case READ_ONLY ->
                server.execute("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
        }
    }

    /** @param server the standby if it takes over */
    void end(PostgresProcess server) throws IOException, SQLException {
        switch (this) {
            case KILLED -> server.start();
            case HUNG -> server.goOn();
            case OUT_OF_CONNECTIONS -> server.giveConnectionsBack();
            case READ_ONLY ->
                server.execute(
                        "set default_transaction_read_only = off",
                        "alter system reset default_transaction_read_only",
                        "select pg_reload_conf()");
            case FAILED_OVER -> server.execute("alter system reset synchronous_standby_names", "select pg_promote()");
        }
    }
}
