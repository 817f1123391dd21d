package dev.animalstore.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * An operation of the document that a request is for.
 *
 * @param path the template of its path, without the version
 * @param node what the document says of it
 * @param pathValues what the request has in the place of each path parameter, decoded
 */
record Operation(String path, JsonNode node, Map<String, String> pathValues) {}
