import type { DatabaseConnection, Dialect, Driver } from "kysely";
import { findStoreFailure, type StoreFailure } from "./store-failure.ts";

/**
 * Wraps a dialect so that failures of the database are thrown as `StoreFailure` and reported to
 * `onFailure`. Errors about a query or its data are not changed.
 */
export function watchDialect(
  dialect: Dialect,
  onFailure: (failure: StoreFailure) => void,
): Dialect {
  const watch: Watch = async (work, signal) => {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw error;
      const failure = findStoreFailure(error);
      if (failure === undefined) throw error;
      onFailure(failure);
      throw failure;
    }
  };
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => watchDriver(dialect.createDriver(), watch),
  };
}

type Watch = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

function watchDriver(driver: Driver, watch: Watch): Driver {
  const watched = new WeakSet<DatabaseConnection>();
  return {
    init: (options) => driver.init(options),
    destroy: (options) => driver.destroy(options),
    releaseConnection: (connection, options) => driver.releaseConnection(connection, options),
    // The error that caused the rollback matters, not that the rollback failed too.
    rollbackTransaction: (connection) =>
      driver.rollbackTransaction(connection).catch(() => undefined),
    beginTransaction: (connection, settings) =>
      watch(() => driver.beginTransaction(connection, settings)),
    commitTransaction: (connection) => watch(() => driver.commitTransaction(connection)),
    acquireConnection: async (options) => {
      const connection = await watch(() => driver.acquireConnection(options));
      if (watched.has(connection)) return connection;
      watched.add(connection);
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = (query, more) =>
        // A query that was cancelled is no failure of the database.
        watch(() => executeQuery(query, more), more?.signal);
      return connection;
    },
  };
}
