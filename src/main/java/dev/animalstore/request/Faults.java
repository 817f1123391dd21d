package dev.animalstore.request;

import com.fasterxml.jackson.databind.DeserializationContext;
import dev.animalstore.error.ApiException;
import dev.animalstore.error.ErrorCode;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is wrong with a body: one reason for each member, which is known by the names that lead to it. The reason that is noted first is kept,
 * so a value that was not read breaks no constraint.
 */
final class Faults {
    /** The members of a record, which reflection finds anew each time. A body may have thousands of faults. */
    private static final ClassValue<RecordComponent[]> MEMBERS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    private final Class<?> body;
    private final Map<List<String>, String> reasons = new LinkedHashMap<>();
    private final List<String> place = new ArrayList<>();

    Faults(Class<?> body) {
        this.body = body;
    }

    /** The faults of the body that is being bound. */
    static Faults of(DeserializationContext binding) {
        return (Faults) binding.getAttribute(Faults.class);
    }

    /** Begins to read a member of what is being read. The name of the body itself is {@code null}. */
    void enter(String name) {
        if (name != null) {
            place.add(name);
        }
    }

    /** Ends what began last. */
    void leave(String name) {
        if (name != null) {
            place.remove(place.size() - 1);
        }
    }

    /** Notes what is wrong with what is being read. */
    void add(String reason) {
        reasons.putIfAbsent(List.copyOf(place), reason);
    }

    /** Notes what is wrong with a member of what is being read. */
    void add(String name, String reason) {
        enter(name);
        add(reason);
        leave(name);
    }

    /** Notes a broken constraint. */
    void add(ConstraintViolation<?> violation) {
        List<String> names = new ArrayList<>();
        for (Path.Node node : violation.getPropertyPath()) {
            if (node.getKind() == ElementKind.PROPERTY) {
                names.add(node.getName());
            }
        }
        reasons.putIfAbsent(names, violation.getMessage());
    }

    /**
     * Refuses a body that has a fault.
     *
     * @throws ApiException {@code validation_failed}, which names every fault in the order of the record, if there is one
     */
    void verify() {
        if (reasons.containsKey(List.of())) {
            throw new ApiException(ErrorCode.VALIDATION_FAILED, "The body must be a JSON object.");
        }
        if (!reasons.isEmpty()) {
            Map<String, String> ordered = new LinkedHashMap<>();
            reasons.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey((one, other) -> Arrays.compare(order(one), order(other))))
                    .forEach(fault -> ordered.put(String.join(".", fault.getKey()), fault.getValue()));
            throw ApiException.invalidFields(ordered);
        }
    }

    /** The place of a member in the record, and of those within it. Unknown ones come first. */
    private int[] order(List<String> names) {
        int[] order = new int[names.size()];
        Class<?> type = body;
        for (int i = 0; i < order.length; i++) {
            RecordComponent[] members = MEMBERS.get(type);
            order[i] = indexOf(members, names.get(i));
            if (order[i] >= 0) {
                type = members[order[i]].getType();
            }
        }
        return order;
    }

    /** The place of a member, or -1 if there is none of that name. */
    private static int indexOf(RecordComponent[] members, String name) {
        for (int i = 0; i < members.length; i++) {
            if (members[i].getName().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
