package dev.animalstore.fault;

import dev.animalstore.process.PostgresProcess;
import java.io.IOException;
import java.sql.SQLException;

/** Faults of PostgreSQL, and how they end. Each is caused on a real server that a standby follows. */
enum DatabaseFault {
    KILLED {
        @Override
        void begin(PostgresProcess server) throws IOException {
            server.kill();
        }

        @Override
        void end(PostgresProcess server, PostgresProcess standby) throws IOException {
            server.start();
        }
    },
    HUNG {
        @Override
        void begin(PostgresProcess server) throws IOException {
            server.hang();
        }

        @Override
        void end(PostgresProcess server, PostgresProcess standby) throws IOException {
            server.goOn();
        }
    },
    OUT_OF_CONNECTIONS {
        @Override
        void begin(PostgresProcess server) throws SQLException {
            server.takeAllConnections();
        }

        @Override
        void end(PostgresProcess server, PostgresProcess standby) throws SQLException {
            server.giveConnectionsBack();
        }
    },
    READ_ONLY {
        @Override
        void begin(PostgresProcess server) throws SQLException {
            server.execute("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
        }

        @Override
        void end(PostgresProcess server, PostgresProcess standby) throws SQLException {
            server.execute(
                    "set default_transaction_read_only = off",
                    "alter system reset default_transaction_read_only",
                    "select pg_reload_conf()");
        }
    },
    LOCKED {
        @Override
        void begin(PostgresProcess server) throws SQLException {
            server.lock("pet");
        }

        @Override
        void end(PostgresProcess server, PostgresProcess standby) throws SQLException {
            server.giveConnectionsBack();
        }
    },
    /** The server dies and its standby takes over. This has to be the last fault, since the server does not return. */
    FAILED_OVER {
        @Override
        void begin(PostgresProcess server) throws IOException {
            server.kill();
        }

        @Override
        void end(PostgresProcess server, PostgresProcess standby) throws SQLException {
            standby.execute("alter system reset synchronous_standby_names", "select pg_promote()");
        }
    };

    abstract void begin(PostgresProcess server) throws IOException, SQLException;

    abstract void end(PostgresProcess server, PostgresProcess standby) throws IOException, SQLException;
}
