package dev.animalstore;

import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads lists as a client does: from the first page along the {@code next} links. */
public final class PageWalker {
    private static final Pattern NEXT = Pattern.compile("<([^<>]+)>; rel=\"next\"");
    private static final Pattern CURSOR = Pattern.compile("[?&]cursor=([^&>]+)");

    private PageWalker() {}

    /** All pages of a list. */
    public static List<Response> pages(TestKey key, String first) {
        return pages(key, first, () -> {});
    }

    /** All pages of a list, with something happening before each but the first. */
    public static List<Response> pages(TestKey key, String first, Runnable between) {
        List<Response> pages = new ArrayList<>();
        Response page = get(key, first);
        pages.add(page);
        for (String next = next(page); !next.isEmpty(); next = next(page)) {
            between.run();
            page = get(key, next);
            pages.add(page);
        }
        return pages;
    }

    /** The identifiers on pages, in the order in which they came. */
    public static List<Long> ids(List<Response> pages) {
        return pages.stream()
                .flatMap(page -> page.jsonPath().getList("id", Long.class).stream())
                .toList();
    }

    /** The cursor in the {@code next} link of a page. */
    public static String cursor(Response page) {
        Matcher cursor = CURSOR.matcher(next(page));
        if (!cursor.find()) {
            throw new AssertionError("There is no cursor in " + next(page));
        }
        return cursor.group(1);
    }

    private static Response get(TestKey key, String address) {
        Response page = key.given().urlEncodingEnabled(false).get(address);
        page.then().statusCode(200);
        return page;
    }

    private static String next(Response page) {
        String link = page.header("Link");
        Matcher next = NEXT.matcher(link == null ? "" : link);
        return next.matches() ? next.group(1) : "";
    }
}
