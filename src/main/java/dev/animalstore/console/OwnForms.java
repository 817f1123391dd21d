package dev.animalstore.console;

import dev.animalstore.request.Form;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Whether a form was made for the session that sends it. */
@Singleton
class OwnForms {
    /** The field of each form that holds the token. */
    private static final String FIELD = "form";

    private final Sessions sessions;

    OwnForms(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Refuses a form without the token of the session.
     *
     * @throws ForeignFormException if it has another one or none
     */
    void verify(Form form, RoutingContext exchange) {
        if (!sessions.isFormToken(Session.of(exchange), form.text(FIELD))) {
            throw new ForeignFormException();
        }
    }

    /** A form is not of the session that sends it. */
    static final class ForeignFormException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ForeignFormException() {
            super("A form of no or of another session", null, false, false);
        }
    }

    /** Shows it as a page. */
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
