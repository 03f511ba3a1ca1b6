//! The word classes that the patterns of Spanish share.

pub(super) const FRAGMENTS: &[(&str, &str)] = &[
    (
        "month",
        "(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)",
    ),
    // Past of what matters in a life or at work.
    (
        "event",
        "(?:[a-z]+(?:[a-z]amos|imos)|cambie|contrate|despedi|herede|arregle|abri|acabe|adopte|alquile|aprobe|apunte|arranque|arregle|borre|cai|case|celebre|cerre|choque|compre|conoci|consegui|corri|corte|cumpli|debute|defendi|deje|desplegue|dimiti|divorcie|empece|encontre|entregue|esguince|estrelle|firme|fracture|funde|gane|gradue|inaugure|ingrese|inscribi|instale|inunde|jubile|lance|logre|matricule|migre|monte|mude|opere|pague|pase|pedi|perdi|pinche|plante|presente|prometi|publique|quebre|queme|recibi|recogi|regrese|renuncie|reprobe|resbale|rompi|sali|saque|separe|suspendi|termine|titule|torci|tuve|vacune|vendi|volvi)",
    ),
    // The same of others; it counts where the speaker is touched.
    (
        "befell",
        "(?:[a-z]+(?:aron|ieron|[a-z]io)|(?:ha|han) [a-z]+(?:ado|ido|to|cho)|llego|cayo|hizo|trajo|vino|tuvo|opero|caso|mudo|gano|jubilo|graduo|fallo|quemo|inundo|estropeo|averio|exploto|ingreso|choco|dejo|fue|dio|empezo|nombro)",
    ),
];
