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
 * The validation errors of a body: one reason for each member, identified by the path of names that leads to it. The first reason of a
 * member is kept, so a value that could not be read violates no constraint as well.
 */
final class Faults {
    /** The members of each record, cached because reflection copies them each time and a body may have thousands of errors. */
    private static final ClassValue<RecordComponent[]> MEMBERS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    private final Class<?> body;
    private final Map<List<String>, String> reasons = new LinkedHashMap<>();
    private final List<String> path = new ArrayList<>();

    Faults(Class<?> body) {
        this.body = body;
    }

    /** The errors of the body that is being bound. */
    static Faults of(DeserializationContext binding) {
        return (Faults) binding.getAttribute(Faults.class);
    }

    /** Enters a member. The name of the body itself is {@code null}. */
    void enter(String name) {
        if (name != null) {
            path.add(name);
        }
    }

    /** Leaves the member that was entered last. */
    void leave(String name) {
        if (name != null) {
            path.remove(path.size() - 1);
        }
    }

    /** Records an error of the current member. */
    void add(String reason) {
        reasons.putIfAbsent(List.copyOf(path), reason);
    }

    /** Records an error of a member of the current one. */
    void add(String name, String reason) {
        enter(name);
        add(reason);
        leave(name);
    }

    /** Records a violated constraint. */
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
     * Refuses a body that has an error.
     *
     * @throws ApiException {@code validation_failed} if there is an error; it names every one in the order of the record
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

    /** The index of a member in the record, and of those within it. Unknown members come first. */
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

    /** The index of a member, or -1 if there is none with that name. */
    private static int indexOf(RecordComponent[] members, String name) {
        for (int i = 0; i < members.length; i++) {
            if (members[i].getName().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
