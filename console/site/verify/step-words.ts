/** What the checks of a receipt are called and prove; `/verify` and the console say the same. */
export const stepWords = {
  en: {
    holds: 'passed',
    fails: 'failed',
    waits: 'pending',
    steps: {
      signature: 'Signature',
      canonical: 'Format',
      inclusion: 'Entries',
      checkpoint: 'Checkpoint',
      consistency: 'History',
    },
    proves: {
      signature: 'The gateway signed it with a published key.',
      canonical: 'It can be read in only one way.',
      inclusion: 'Its ledger entries are the ones in the public log.',
      checkpoint: 'The gateway signed this log of {{size}} entries.',
      consistency: 'The log still begins with what this browser first saw.',
    },
    waiting: {
      inclusion: 'The entries are not in the log yet.',
      checkpoint: 'There is no checkpoint with these entries yet.',
      consistency: 'Will be compared once there is a checkpoint.',
      signature: '',
      canonical: '',
    },
    fault: {
      signature: 'No published key signed this document.',
      canonical: 'The document is not in the one form that is signed.',
      inclusion: 'The entries do not match the log.',
      checkpoint: 'No published key signed the checkpoint.',
      consistency: 'The log does not begin with what this browser first saw.',
    },
  },
  zh: {
    holds: '通过',
    fails: '未通过',
    waits: '等待中',
    steps: {
      signature: '签名',
      canonical: '格式',
      inclusion: '条目',
      checkpoint: '检查点',
      consistency: '历史',
    },
    proves: {
      signature: '由网关使用已公布的密钥签名。',
      canonical: '格式规范，内容无歧义。',
      inclusion: '收支条目与公开日志一致。',
      checkpoint: '这份共 {{size}} 条的日志已由网关签名。',
      consistency: '日志的开头与本浏览器最早的记录一致。',
    },
    waiting: {
      inclusion: '条目尚未写入日志。',
      checkpoint: '暂无包含这些条目的检查点。',
      consistency: '生成检查点后即可比对。',
      signature: '',
      canonical: '',
    },
    fault: {
      signature: '不是由已公布的密钥签名。',
      canonical: '内容不符合规范格式。',
      inclusion: '条目与公开日志不一致。',
      checkpoint: '检查点不是由已公布的密钥签名。',
      consistency: '日志的开头与本浏览器最早的记录不一致。',
    },
  },
} as const
