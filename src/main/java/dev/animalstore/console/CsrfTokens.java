package dev.animalstore.console;

import dev.animalstore.request.Form;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Checks the CSRF token of forms. */
@Singleton
class CsrfTokens {
    /** The field of each form that contains the token. */
    private static final String FIELD = "form";

    private final Sessions sessions;

    CsrfTokens(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Refuses a form without the token of the session.
     *
     * @throws ForeignFormException if the token is missing or of another session
     */
    void verify(Form form, RoutingContext exchange) {
        if (!sessions.isFormToken(Session.of(exchange), form.text(FIELD))) {
            throw new ForeignFormException();
        }
    }

    /** A form does not belong to the session that sends it. */
    static final class ForeignFormException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ForeignFormException() {
            super("A form without a session or of another session", null, false, false);
        }
    }

    /** Renders it as a page. */
    static final class Mapper {
        private final ConsolePages pages;

        Mapper(ConsolePages pages) {
            this.pages = pages;
        }

        @ServerExceptionMapper
        Response refused(ForeignFormException ignored) {
            return pages.foreignForm();
        }
    }
}
