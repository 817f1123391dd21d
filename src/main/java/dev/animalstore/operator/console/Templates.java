package dev.animalstore.operator.console;

import dev.animalstore.metering.key.Plan;
import dev.animalstore.operator.KeyChange;
import dev.animalstore.operator.ManagedKey;
import dev.animalstore.operator.console.KeysResource.KeyList;
import dev.animalstore.operator.console.OverviewResource.Totals;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import java.time.YearMonth;
import java.util.List;

/** The templates of the pages. Quarkus checks them against these parameters at build time. */
@CheckedTemplate(basePath = "console")
final class Templates {
    private Templates() {}

    static native TemplateInstance signIn(String error, String to, boolean unsent);

    static native TemplateInstance overview(
            boolean shared, List<KeyView> banned, List<KeyView> expiring, Totals totals, List<YearMonth> months);

    static native TemplateInstance keys(KeyList list, List<Plan> plans, Form lookup);

    static native TemplateInstance key(
            KeyView view, UsageChart chart, List<KeyChange> changes, List<YearMonth> months, Form form, String notice);

    static native TemplateInstance lookup(Form form);

    static native TemplateInstance issue(Form form, List<Plan> plans);

    static native TemplateInstance alreadyIssued(long keyId);

    static native TemplateInstance newKey(ManagedKey key, long lateSeconds);

    static native TemplateInstance change(KeyView view, Form form, List<Plan> plans);

    static native TemplateInstance rotate(KeyView view, Form form);

    static native TemplateInstance stop(KeyView view, Form form, boolean permanently);

    static native TemplateInstance problem(String title, String message);
}
