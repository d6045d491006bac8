/** Food, beauty, clothes and books first. Lines as in shop-a.ts. */
export const shopC = `
c-3001 | 明前龙井绿茶 250g 罐装 | 26800 | available | 核心产区、当年新茶 | 茶叶 tea green
c-3002 | 陈年普洱熟茶饼 357g | 19800 | available | 五年陈化、独立编号 | 茶叶 tea
c-3003 | 挂耳咖啡 混合装 30 包 | 8900 | available | 三种风味、独立充氮 | 咖啡 coffee drip bag
c-3004 | 纯牛奶 250ml 24 盒 | 6590 | available | 3.6g 优质乳蛋白 | 奶 milk
c-3005 | 每日坚果 30 袋 | 9900 | available | 六种果仁、独立包装 | 零食 礼品 nuts snack gift
c-3006 | 黑巧克力 72% 可可 100g | 3500 | available | 配料只有三种 | 零食 礼物 chocolate snack gift
c-3007 | 东北五常大米 5kg | 5990 | available | 当季新米、真空包装 | 粮油 rice food
c-3008 | 特级初榨橄榄油 750ml | 11900 | available | 冷压榨、深色瓶 | 食用油 olive oil food
c-3009 | 矿泉水 550ml 24 瓶 | 3600 | available | 天然弱碱 | 水 饮用水 water bottle
c-3010 | 氨基酸洁面乳 120g | 7900 | available | 温和清洁、不紧绷 | 洗面奶 护肤 cleanser skin care
c-3011 | 保湿面霜 50ml | 15900 | available | 神经酰胺、无香精 | 护肤 moisturizer cream skin care
c-3012 | 物理防晒霜 SPF50 | 12900 | unavailable | 敏感肌可用、不泛白 | 护肤 sunscreen skin care
c-3013 | 电动牙刷 声波震动 | 19900 | available | 三档模式、90 天续航 | 洗漱 electric toothbrush
c-3014 | 纯棉圆领短袖 T恤 | 5900 | available | 220g 重磅、不易变形 | 衣服 上衣 shirt cotton clothes
c-3015 | 轻薄羽绒服 连帽 | 49900 | available | 90% 鹅绒、可收纳 | 衣服 外套 down jacket coat clothes
c-3016 | 直筒牛仔裤 | 18900 | available | 微弹面料、四季可穿 | 裤子 衣服 jeans clothes
c-3017 | 羊毛围巾 格纹 | 16900 | unknown | 100% 羊毛、礼盒装 | 礼物 礼品 生日 scarf wool gift
c-3018 | 头层牛皮钱包 短款 | 22900 | available | 六卡位、防磁 | 礼物 皮夹 wallet leather gift
c-3019 | 儿童积木 520 块 | 13900 | available | 食品级材质、附收纳桶 | 玩具 礼物 生日 toy blocks gift
c-3020 | 编程入门图书 第二版 | 6900 | available | 含 200 道练习、附代码 | 书籍 书 学习 programming book
c-3021 | 世界历史图册 精装 | 12800 | available | 400 幅地图 | 书籍 书 history book atlas
c-3022 | 儿童保温杯 吸管款 400ml | 8900 | available | 316 不锈钢、双盖可换 | 水杯 杯子 宝宝 thermos cup bottle kids
c-3023 | 中性笔 0.5mm 12 支 | 1590 | available | 速干不晕染 | 文具 笔 pen stationery
c-3024 | 测试样品 演示商品 C | 300 | unavailable | 本地样品 | 商品 示例 test sample demo product item
c-3025 | 足金转运珠手绳 | 1000000 | unknown | 附检测证书 | 首饰 礼物 黄金 gold bracelet jewelry gift
`
