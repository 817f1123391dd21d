package dev.animalstore.console;

import dev.animalstore.admin.KeyOperations;
import dev.animalstore.admin.ManagedKey;
import dev.animalstore.usage.UsageReports;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The pages of a key. A form for what cannot be done with the key is not shown; its page is instead. */
@Singleton
class KeyPages {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;

    private final KeyOperations keys;
    private final UsageReports usage;
    private final ConsolePages pages;
    private final Clock clock;

    KeyPages(KeyOperations keys, UsageReports usage, ConsolePages pages, Clock clock) {
        this.keys = keys;
        this.usage = usage;
        this.pages = pages;
        this.clock = clock;
    }

    /** Shows a key, with what was done or with what is wrong with a form that was sent for it. */
    Response key(RoutingContext exchange, int status, ManagedKey key, KeyForm form, String notice) {
        KeyView view = view(key);
        LocalDate today = LocalDate.ofInstant(view.now(), ZoneOffset.UTC);
        UsageChart chart = UsageChart.of(usage.ofKey(key.id(), today.minusDays(UsageChart.DAYS - 1L), today), today);
        KeyForm lift = form.renewed(key, keys.plans());
        return ConsolePages.show(status, Templates.key(frame(exchange, key.owner()), view, chart, notice, lift));
    }

    /** Shows the form of a change. */
    Response change(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return view(key).changeable()
                ? ConsolePages.show(
                        status,
                        Templates.change(frame(exchange, "Change " + key.owner()), view(key), form, keys.plans()))
                : instead(exchange, status, key, form);
    }

    /** Shows the form of a rotation. */
    Response rotation(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return view(key).rotatable()
                ? ConsolePages.show(status, Templates.rotate(frame(exchange, "Rotate " + key.owner()), view(key), form))
                : instead(exchange, status, key, form);
    }

    /** Asks whether the key is to be revoked. */
    Response revocation(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return view(key).changeable()
                ? ConsolePages.show(status, Templates.revoke(frame(exchange, "Revoke " + key.owner()), view(key), form))
                : instead(exchange, status, key, form);
    }

    /** Shows the key with its new secret. */
    Response rotated(RoutingContext exchange, ManagedKey key) {
        return ConsolePages.show(CREATED, Templates.newKey(frame(exchange, "The new key"), key));
    }

    /** Says that a form was sent before, and what it did then. */
    Response alreadySent(RoutingContext exchange, long key, String deed) {
        return ConsolePages.show(CONFLICT, Templates.alreadySent(frame(exchange, "Done already"), key, deed));
    }

    private Response instead(RoutingContext exchange, int status, ManagedKey key, KeyForm form) {
        return status == OK ? ConsolePages.redirect(view(key).path()) : key(exchange, status, key, form, "");
    }

    private Frame frame(RoutingContext exchange, String title) {
        return pages.frame(exchange, title, "keys");
    }

    private KeyView view(ManagedKey key) {
        return new KeyView(key, clock.instant());
    }
}
