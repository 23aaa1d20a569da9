import type { Cleanup, Coordinator } from "@haft/contract";

/** Receives contributions, for example a session. */
export type Contributions = Pick<Coordinator, "registerContributor" | "collectContributions">;

/** Keeps the contributions of modules for sessions that come and go. */
export interface ContributionStore extends Contributions {
  /** Registers all contributions, present and future, with a session until the cleanup is called. */
  attach(session: Contributions): Cleanup;
}

/** Creates an empty contribution store. */
export function createContributionStore(): ContributionStore {
  const offers = new Set<Offer>();
  const sessions = new Map<Contributions, Map<Offer, Cleanup>>();
  const give = (offer: Offer, session: Contributions): Cleanup =>
    session.registerContributor(offer.channel, offer.name, offer.contribute);

  return {
    registerContributor: (channel, name, contribute) => {
      const offer: Offer = { channel, name, contribute };
      offers.add(offer);
      for (const [session, given] of sessions) given.set(offer, give(offer, session));
      return () => {
        offers.delete(offer);
        for (const given of sessions.values()) {
          void given.get(offer)?.();
          given.delete(offer);
        }
      };
    },
    collectContributions: async (channel) => {
      // A session has further contributions beside those of modules.
      const session = [...sessions.keys()].at(-1);
      if (session !== undefined) return session.collectContributions(channel);
      const asked = [...offers].filter((offer) => offer.channel === channel);
      const answers = await Promise.allSettled(asked.map(async ({ contribute }) => contribute()));
      return answers.flatMap((answer) =>
        answer.status === "fulfilled" && answer.value !== undefined && answer.value !== null
          ? [answer.value]
          : [],
      );
    },
    attach: (session) => {
      const given = new Map([...offers].map((offer) => [offer, give(offer, session)]));
      sessions.set(session, given);
      return () => {
        if (sessions.get(session) !== given) return;
        sessions.delete(session);
        for (const take of given.values()) void take();
      };
    },
  };
}

interface Offer {
  readonly channel: string;
  readonly name: string;
  readonly contribute: () => unknown;
}
