package dev.animalstore.operator.console;

import io.quarkus.qute.TemplateInstance;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.RestResponse.StatusCode;

/** The addresses of the pages, and their responses. */
final class ConsolePages {
    static final String ROOT = "/console";

    static final String SIGN_IN = ROOT + "/sign-in";
    static final String SIGN_OUT = ROOT + "/sign-out";
    static final String KEYS = ROOT + "/keys";
    static final String ISSUE = ROOT + "/issue";

    private ConsolePages() {}

    /** Redirects to another page. The address is on this host, whatever host the request named. */
    static Response redirect(String path) {
        return Response.status(StatusCode.SEE_OTHER)
                .header(HttpHeaders.LOCATION, path)
                .build();
    }

    static Response show(RoutingContext exchange, int status, TemplateInstance page) {
        return Response.status(status)
                .type("text/html;charset=UTF-8")
                .entity(render(exchange, page))
                .build();
    }

    static String render(RoutingContext exchange, TemplateInstance page) {
        return page.data("visit", Visit.of(exchange)).render();
    }
}
