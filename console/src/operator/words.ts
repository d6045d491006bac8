import type { Translated } from '../i18n/messages.ts'

declare module '../i18n/messages.ts' {
  interface OperatorWords {
    readonly title: (typeof en)['title']
    readonly nav: (typeof en)['nav']
    readonly roles: (typeof en)['roles']
    readonly roleHints: (typeof en)['roleHints']
    readonly form: (typeof en)['form']
    readonly secret: (typeof en)['secret']
    readonly search: (typeof en)['search']
  }
}

const en = {
  title: 'Operator console',
  nav: {
    label: 'Operator console',
    watching: 'Monitoring',
    people: 'Customers',
    accounting: 'Books',
    system: 'System',
    signOut: 'Sign out',
    waiting_one: '{{count}} waiting',
    waiting_other: '{{count}} waiting',
  },
  roles: { viewer: 'Viewer', support: 'Support', treasurer: 'Treasurer', admin: 'Administrator' },
  roleHints: {
    viewer: 'Can read everything, but change nothing.',
    support:
      'Can also decide reviews, suspend accounts, revoke keys, take providers in and out of service, publish incidents, and reconcile.',
    treasurer: 'Can also grant and withdraw credits, and approve other operators’ requests.',
    admin: 'Can also add, reset and disable operators.',
  },
  form: {
    reason: 'Reason',
    reasonHint: 'Recorded in the audit log and cannot be removed.',
    cancel: 'Cancel',
    lost: 'No response received. The action may have gone through. Check the page before you repeat it.',
  },
  secret: {
    qrCode: 'QR code for an authenticator app',
    scan: 'Scan this code with an authenticator app.',
    byHand: 'Or enter this secret in the app',
    uri: 'Setup URI for the app',
    once: 'This is shown only once.',
    password: 'First password',
    passwordHint: 'Must be changed at the first sign-in.',
    saved: 'I have passed this on safely',
    done: 'Done',
  },
  search: {
    placeholder: 'Search',
    label: 'ID, phone, email or page',
    hint: 'An ID or its beginning (acc_, prj_, key_, chg_, req_, ord_, pay_, rfd_, job_), the start of a key, a whole phone number or email, or a page.',
    kinds: {
      account: 'Account',
      project: 'Project',
      key: 'API key',
      charge: 'Call',
      request: 'Request',
      order: 'Order',
      payment: 'Payment',
      refund: 'Refund',
      job: 'Media job',
    },
  },
} as const

const zh: Translated<typeof en> = {
  title: '运营后台',
  nav: {
    label: '运营后台',
    watching: '运行监控',
    people: '客户',
    accounting: '账务',
    system: '系统',
    signOut: '退出登录',
    waiting_other: '{{count}} 项待处理',
  },
  roles: { viewer: '只读', support: '客服', treasurer: '财务', admin: '管理员' },
  roleHints: {
    viewer: '可查看全部内容，不能修改。',
    support: '还可处理待确认调用、停用账号、吊销密钥、停用或恢复服务商、发布状态公告、对账。',
    treasurer: '还可人工入账、扣回和审批他人的申请。',
    admin: '还可添加、重置和停用操作员。',
  },
  form: {
    reason: '原因',
    reasonHint: '将永久记入审计日志。',
    cancel: '取消',
    lost: '未收到响应，操作可能已经生效。请先查看页面，不要直接重复操作。',
  },
  secret: {
    qrCode: '身份验证器二维码',
    scan: '请用身份验证器扫描二维码。',
    byHand: '或在验证器中手动输入密钥',
    uri: '验证器地址',
    once: '以下内容只显示这一次。',
    password: '初始密码',
    passwordHint: '首次登录时必须修改。',
    saved: '我已安全转交',
    done: '完成',
  },
  search: {
    placeholder: '搜索',
    label: '编号、手机号、邮箱或页面',
    hint: '支持完整编号或编号开头（acc_、prj_、key_、chg_、req_、ord_、pay_、rfd_、job_）、密钥开头、完整手机号或邮箱，以及页面名称。',
    kinds: {
      account: '账号',
      project: '项目',
      key: 'API 密钥',
      charge: '调用',
      request: '请求',
      order: '订单',
      payment: '支付',
      refund: '退款',
      job: '视频任务',
    },
  },
}

export const shell = { en, zh }
