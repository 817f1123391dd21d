package dev.animalstore.process;

import java.io.File;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the machine, without which some tests are skipped. */
public final class Program {
    private Program() {}

    /** The first of the names that is on the PATH. */
    public static Optional<File> find(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> new File(folder, name)))
                .filter(File::canExecute)
                .findFirst();
    }
}
