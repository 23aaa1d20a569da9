import type { Journal } from "@haft/core";
import { DiskRecording, type RecordingPlace } from "./disk-recording.ts";
import { JournalWriter } from "./journal-writer.ts";
import { latestChanges } from "./latest-changes.ts";
import { storageError } from "./storage-error.ts";

/** What a journal on disk is a part of. */
export interface JournalPlace extends Omit<RecordingPlace, "depths" | "writer"> {
  /** Takes back what processes that died left half done. */
  recover(): void;
  /** The paths under which changes of a path may be noted. */
  namesOf(path: string): readonly string[];
}

/** Keeps what files held before, on the disk before the change may go ahead. */
export function createDiskJournal(place: JournalPlace): Journal {
  const { session, recover, namesOf } = place;
  const recordingPlace: RecordingPlace = {
    ...place,
    writer: new JournalWriter(session),
    depths: new Map(),
  };
  return {
    record: (changes) => {
      recover();
      const recording = new DiskRecording(changes, recordingPlace);
      const fail = (error: unknown): never => {
        recording.dropped();
        throw storageError(error, session.path);
      };
      try {
        const written = recording.write();
        return written === undefined ? recording : written.then(() => recording, fail);
      } catch (error) {
        return fail(error);
      }
    },
    latest: async (path) => {
      recover();
      return latestChanges(session.path, path === undefined ? undefined : namesOf(path));
    },
  };
}
