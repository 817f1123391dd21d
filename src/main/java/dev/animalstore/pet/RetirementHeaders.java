package dev.animalstore.pet;

import io.netty.handler.codec.DateFormatter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Provider;
import java.util.Date;

/** Tells the clients of a retiring operation since when it is deprecated, until when it works and what takes its place, on errors too. */
@ApplicationScoped
@Provider
@Retiring
class RetirementHeaders implements ContainerResponseFilter {
    private final String deprecation;
    private final String sunset;

    RetirementHeaders(RetirementConfig retirement) {
        deprecation = "@" + retirement.deprecatedSince().getEpochSecond();
        sunset = DateFormatter.format(Date.from(retirement.sunset()));
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
}
