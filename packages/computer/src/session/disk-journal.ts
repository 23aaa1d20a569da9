import type { Journal } from "@haft/core";
import { DiskRecording, type RecordingContext } from "./disk-recording.ts";
import { JournalWriter } from "./journal-writer.ts";
import { latestChanges, pastCalls } from "./latest-changes.ts";
import { storageError } from "./storage-error.ts";

/** What a journal on disk needs from its session. */
export interface JournalContext extends Omit<RecordingContext, "depths" | "titles" | "writer"> {
  /** Undoes what processes that died left half done. */
  recover(): void;
  /** The paths under which changes of a path may be recorded. */
  namesOf(path: string): readonly string[];
}

/** Keeps the previous content of files; it is on disk before a change goes ahead. */
export function createDiskJournal(place: JournalContext): Journal {
  const { session, recover, namesOf } = place;
  const recordingPlace: RecordingContext = {
    ...place,
    writer: new JournalWriter(session),
    depths: new Map(),
    titles: new Map(),
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
    noteCall: (callId, title) => {
      const { titles } = recordingPlace;
      titles.delete(callId);
      titles.set(callId, title);
      const [oldest] = titles.keys();
      if (titles.size > maxTitles && oldest !== undefined) titles.delete(oldest);
    },
    calls: async () => {
      recover();
      return pastCalls(session.path);
    },
    latest: async (path) => {
      recover();
      return latestChanges(session.path, path === undefined ? undefined : namesOf(path));
    },
  };
}

const maxTitles = 256;
