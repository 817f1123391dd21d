package dev.animalstore.console;

import dev.animalstore.admin.ManagedKey;
import dev.animalstore.key.PlanDetails;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import java.util.List;

/** The templates of the pages. Quarkus checks them against these parameters at build time. */
@CheckedTemplate(basePath = "console")
final class Templates {
    private Templates() {}

    static native TemplateInstance signIn(Frame frame, String error);

    static native TemplateInstance overview(Frame frame, Overview overview);

    static native TemplateInstance keys(Frame frame, KeyList list, List<PlanDetails> plans);

    static native TemplateInstance key(Frame frame, KeyView view, UsageChart chart, String notice, KeyForm form);

    static native TemplateInstance issue(Frame frame, KeyForm form, List<PlanDetails> plans);

    static native TemplateInstance alreadyIssued(Frame frame, long keyId);

    static native TemplateInstance alreadySent(Frame frame, long keyId, String done);

    static native TemplateInstance newKey(Frame frame, ManagedKey key);

    static native TemplateInstance change(Frame frame, KeyView view, KeyForm form, List<PlanDetails> plans);

    static native TemplateInstance rotate(Frame frame, KeyView view, KeyForm form);

    static native TemplateInstance revoke(Frame frame, KeyView view, KeyForm form);

    static native TemplateInstance problem(Frame frame, String message);
}
