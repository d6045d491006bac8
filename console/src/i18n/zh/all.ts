import type { Messages } from '../messages.ts'
import { alerts } from './alerts.ts'
import { events } from './events.ts'
import { media } from './media.ts'
import { playground } from './playground.ts'
import { pricing } from './pricing.ts'
import { webhooks } from './webhooks.ts'
import { zh } from './zh.ts'

export const allZh: Messages = { ...zh, playground, media, pricing, events, alerts, webhooks }
