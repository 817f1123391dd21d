/**
 * What every resource shares: error bodies, strict input, pages of lists, lists that are exact in memory, what holds for each request before anything
 * reads it, and the OpenAPI document; and here the order of filters and the names of query parameters.
 */
package dev.animalstore.web;
