/**
 * The engine: who may send how many requests. The gate decides on each request by its key and its quota, and usage is what the quota has counted. It
 * knows nothing of the resources that it admits requests to.
 */
package dev.animalstore.metering;
