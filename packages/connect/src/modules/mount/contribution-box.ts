import type { Cleanup, Coordinator } from "@haft/contract";

/** Where contributions go: a session, for one. */
export type Contributions = Pick<Coordinator, "registerContributor" | "collectContributions">;

/** Keeps what modules contribute, for the sessions that come and go. */
export interface ContributionBox extends Contributions {
  /** Gives a session all contributions, also those to come; the cleanup takes them back. */
  attach(session: Contributions): Cleanup;
}

/** A box with nothing in it. */
export function createContributionBox(): ContributionBox {
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
      // A session knows of others beside those of the modules.
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
