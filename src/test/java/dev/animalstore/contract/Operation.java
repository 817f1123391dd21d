package dev.animalstore.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * The operation that a request is for.
 *
 * @param path the template of its path, without the version
 * @param node its description in the document
 * @param pathValues the value of each path parameter, decoded
 */
record Operation(String path, JsonNode node, Map<String, String> pathValues) {}
