package bench;

import java.util.List;
import java.util.function.Function;
import org.springframework.core.convert.converter.Converter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Pages by the last identifier, with a link to the next one. */
final class NextLink {
    private NextLink() {}

    static <T> ResponseEntity<List<T>> page(List<T> found, int limit, Function<T, Long> id) {
        if (found.size() <= limit) {
            return ResponseEntity.ok(found);
        }
        List<T> page = found.subList(0, limit);
        String next = ServletUriComponentsBuilder.fromCurrentRequest()
                .replaceQueryParam("cursor", id.apply(page.get(limit - 1)))
                .toUriString();
        return ResponseEntity.ok().header(HttpHeaders.LINK, "<" + next + ">; rel=\"next\"").body(page);
    }

    /** A status in lower case, as clients send it. */
    @Component
    static class PetStatus implements Converter<String, Pet.Status> {
        @Override
        public Pet.Status convert(String text) {
            return Pet.Status.valueOf(text.toUpperCase());
        }
    }

    @Component
    static class OrderStatus implements Converter<String, Order.Status> {
        @Override
        public Order.Status convert(String text) {
            return Order.Status.valueOf(text.toUpperCase());
        }
    }
}
