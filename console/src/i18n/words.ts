import type { Language, LoadWords } from './i18n.ts'
import type { Messages, StartMessages } from './messages.ts'

/** The words loaded at start. */
export const loadWords = async (language: Language): Promise<StartMessages> =>
  language === 'en' ? (await import('./en/en.ts')).en : (await import('./zh/zh.ts')).zh

/** Words that only these pages use, loaded with them. A section is named after its page, because the gateway preloads it by that name. */
export const pageWords = {
  playground: async (language) =>
    language === 'en' ? await import('./en/playground.ts') : await import('./zh/playground.ts'),
  media: async (language) => (language === 'en' ? await import('./en/media.ts') : await import('./zh/media.ts')),
  pricing: async (language) => (language === 'en' ? await import('./en/pricing.ts') : await import('./zh/pricing.ts')),
  events: async (language) => (language === 'en' ? await import('./en/events.ts') : await import('./zh/events.ts')),
  alerts: async (language) => (language === 'en' ? await import('./en/alerts.ts') : await import('./zh/alerts.ts')),
  webhooks: async (language) =>
    language === 'en' ? await import('./en/webhooks.ts') : await import('./zh/webhooks.ts'),
} as const satisfies Partial<Record<keyof Messages, LoadWords>>
