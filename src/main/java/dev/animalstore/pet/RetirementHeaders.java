package dev.animalstore.pet;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Provider;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Tells the clients of a retiring operation since when it is deprecated, until when it works and what takes its place, on errors too. */
@ApplicationScoped
@Provider
@Retiring
class RetirementHeaders implements ContainerResponseFilter {
    /** The date form of RFC 9110, section 5.6.7, whose days have two digits. */
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final String deprecation;
    private final String sunset;

    RetirementHeaders(RetirementConfig retirement) {
        deprecation = "@" + retirement.deprecatedSince().getEpochSecond();
        sunset = httpDate(retirement.sunset());
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        UriInfo uri = request.getUriInfo();
        MultivaluedMap<String, Object> headers = response.getHeaders();
        headers.putSingle("Deprecation", deprecation);
        headers.putSingle("Sunset", sunset);
        headers.putSingle(
                HttpHeaders.LINK,
                "<" + uri.getBaseUriBuilder().path(PetResource.class).build() + ">; rel=\"successor-version\"");
    }

    private static String httpDate(Instant instant) {
        return HTTP_DATE.format(instant);
    }
}
