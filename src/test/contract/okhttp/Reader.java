import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.util.List;
import org.openapitools.client.JSON;
import org.openapitools.client.model.Pet;

/** Reads the pets on its standard input with the Java client, on OkHttp and Gson, that is generated from the document. */
public final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws IOException {
        List<Pet> pets = JSON.deserialize(System.in, new TypeToken<List<Pet>>() {}.getType());
        Pet pet = pets.get(0);
        if (!pet.getName().equals("Österreich 🐈") || pet.getCategoryId() != Long.MIN_VALUE) {
            throw new IllegalStateException(pet.toString());
        }
    }
}
