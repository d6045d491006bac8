import { Type } from '../base/schema.ts'
import { event } from './event-row.ts'

export const transparencyEvents = {
  'transparency.checkpoint': event({
    data: {
      checkpoint: Type.String({
        minLength: 1,
        description: 'The signed checkpoint of the public log: docs/receipts.md.',
      }),
      treeSize: Type.Integer({ minimum: 1 }),
    },
    example: {
      checkpoint:
        'gateway.example/transparency\n8\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— gateway.example/transparency c2lnbmF0dXJl\n',
      treeSize: 8,
    },
    shown: { group: 'money', page: '/ledger' },
    name: { en: 'Daily checkpoint', zh: '每日存证' },
    subject: { en: 'Checkpoint of the public log', zh: '公开日志的每日存证' },
    detail: {
      en: 'The public log has {{treeSize}} entries. Keep this checkpoint so you can tell if history is rewritten.',
      zh: '公开日志共 {{treeSize}} 条。请保存该检查点，用于核验历史是否被改写。',
    },
    alert: ({ checkpoint, treeSize }) => ({
      en: `The gateway’s public log has ${treeSize} entries. Keep this checkpoint: ${checkpoint.replaceAll('\n', ' ')}`,
      zh: `公开日志共 ${treeSize} 条，请保存检查点：${checkpoint.replaceAll('\n', ' ')}`,
    }),
  }),
}
