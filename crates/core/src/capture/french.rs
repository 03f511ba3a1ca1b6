//! French.

use super::Why::{Hypothetical, Other, Past, Question, Reported, Secret};
use super::language::Reach::{Clause, Rest};
use super::language::When;
use super::language::{Language, day, decision, episodic, fact, gate, preference};

pub(super) static TABLE: Language = Language {
    name: "french",
    words: "je j'ai j'habite j'aime j'adore tu il elle on nous vous me te se mon ma mes ton ta tes notre nos le la les un une des \
            du de et ou mais ne pas plus jamais toujours est suis sont etait c'est d'abord ai as avons avez ont pour par avec \
            sans dans sur au aux en que qui quoi comment quand hier demain aujourd'hui maintenant desormais stp svp merci \
            salut bonjour fais mets utilise prefere deteste moi toi lui cette cet ce fois plutot appelle-moi tutoie-moi m'appelle",
    fragments: &[
        ("adv", "(?: (?:toujours|aussi|vraiment|juste|plutot|surtout|encore|deja|actuellement))*"),
        ("kin", "(?:femme|mari|fils|fille|filles|enfants|mere|pere|maman|papa|frere|soeur|copine|copain|conjointe?|chien|chienne|chat|chatte)"),
        ("other", "(?:chef|cheffe|patron|patronne|collegue|client|cliente|coloc|voisin|voisine|proprio|ami|amie|pote|cousin|cousine|prof)"),
    ],
    openers: "salut|bonjour|coucou|bonsoir|et|mais|donc|alors|du coup|bon|ben|bah|ok|ah|oui|non|merci|au fait|sinon|en fait|par contre|ca y est|parce que|car|enfin|voila|desole",
    closers: "stp|svp|s'il te plait|merci|lol|mdr|ptdr|perso|quoi|hein|voila|va|aussi|et|mais",
    connectors: &[
        "( , (?:(?:et|mais|donc|alors|car|parce que|du coup|puis) )*)(?:je|j'ai|j'habite|j'aime|on|nous|mon|ma|mes|c'est|tu|il|elle|merci|ne|jamais|toujours|appelle-moi|me|le|la|les|pas) ",
        "( , (?:et|mais|donc|alors|car|parce que|puis) )",
        "( (?:et|mais|donc|alors) )(?:je|j'ai|on|nous|mon|ma|mes|ne|jamais|pas) ",
        "( (?:parce que|parce qu'|du coup|puisque) )",
        "( (?::|-) )",
    ],
    gates: &[
        gate(Secret, Clause, "(?:mot de passe|mdp|code pin|code de la porte|digicode|numero de carte) (?:[^,]+ )?(?:est|c'est|:|[0-9])"),
        gate(Hypothetical, Rest, "^ (?:si (?:j'etais|j'avais|on avait|je|on)|imagine|imaginons|supposons|admettons) "),
        gate(Hypothetical, Clause, " (?:peut-etre|j'aimerais|un jour|j'aurais|ce serait) "),
        gate(Reported, Rest, " (?:dit que|dit qu'|a dit|d'apres|selon|parait-il|raconte|pretend|il parait|ecrit que) "),
        gate(Other, Clause, "^ (?:mon|ma|le|la|notre|un|une) {other} "),
        gate(Question, Rest, "^ (?:pourquoi|comment|qui|ou|quand est-ce|quel|quelle|est-ce|combien|tu peux|tu sais|peux-tu|t'as|as-tu|on devrait) "),
        gate(Past, Clause, " (?:avant|autrefois|quand j'etais|a l'epoque|etant (?:gosse|petit|petite|enfant)) "),
    ],
    rules: &[
        preference("once", "^ (?:[a-z'-]+ )+").for_now().sure(0.80),
        preference("standing-wish", "^ (?:tu peux|peux-tu|tu pourrais|pourrais-tu|vous pouvez|ca te derange de) (?:[a-z]+ )?(?:toujours|jamais|desormais|m'appeler)").asked(),
        decision("decided", " (?:a decide|avons decide|ai decide|j'ai decide|c'est decide|c'est tranche|nous avons retenu|on a choisi|on s'est mis d'accord|on a retenu|on part sur|on reste sur|on abandonne|on garde|on passe) "),
        decision("decided", "^ on (?:part|reste|abandonne|garde|passe|resilie|bascule|arrete|prend|utilise) "),
        decision("from-now", "^ (?:desormais|a partir de (?:maintenant|{weekday}|demain)|dorenavant) (?:, )?(?:on|nous|toutes?|tous|les|chaque|plus) "),
        fact("mine", "^ (?:mon|ma|notre) (?:nom|prenom|langue|fuseau|anniv|anniversaire|adresse|numero|bureau|boite|metier) (?:est|c'est|:|a) "),
        fact("mine", "^ (?:je m'appelle|moi c'est|je chausse|je mesure) "),
        fact("kin", "^ (?:mon|ma|mes) {kin} (?:est|s'appelle|a|sont|s'appellent|travaille) "),
        fact("live", "^ (?:j'habite|je vis|on vit|on habite|je bosse|je travaille|je parle|je suis ne|j'ai grandi|j'etudie) "),
        fact("being", "^ (?:moi )?(?:je suis|chuis|jsuis|j'suis){adv} (?:allergique|vegetarien|vegetarienne|vegan|vegane|vegetalienne|gaucher|gauchere|diabetique|asthmatique|daltonien|dev|prof|infirmier|infirmiere|medecin|ingenieur|etudiante?|basee?|a|au|en|dans) "),
        fact("have", "^ (?:j'ai|on a|j'ai pas|je n'ai pas) (?:un|une|deux|trois|quatre|pas de|de) "),
        preference("taste", "^ (?:moi )?(?:je (?:prefere|deteste|supporte pas|ne supporte pas|kiffe|veux|ne bois|bois|n'aime|hais)|j'(?:aime|adore|ai horreur|evite)|plutot|jsuis fan|je suis fan) "),
        preference("order", "^ (?:ne |n')?(?:mets|utilise|fais|reponds|reponds-moi|ecris|donne|donne-moi|parle|parle-moi|tutoie-moi|appelle-moi|vouvoie-moi|evite|commence|mettez|veuillez) (?:[^,]+ )?(?:jamais|toujours|en|pas|sans|jo|[a-z]+) "),
        preference("order", "^ (?:jamais|toujours|plus jamais|pas) (?:de|d'|des)[a-z' -]"),
        episodic("event", "(?:^| )(?:hier|hier soir|aujourd'hui|ce matin|avant-hier|cette nuit|{weekday}|{weekday} dernier) .*(?:j'ai|on a|je me suis|on est|je suis|a|est|nous avons) "),
        episodic("event", "^ (?:je viens de|on vient de|(?:j'ai|on a|nous avons) .*(?:hier|aujourd'hui|ce matin|avant-hier)) "),
        episodic("plan", "^ (?:demain|apres-demain|{weekday} prochain|{weekday}) (?:je|on|c'est|j'ai) "),
    ],
    session: " (?:cette fois|cette fois-ci|pour l'instant|pour le moment|aujourd'hui|ce matin|ce soir|cette semaine|pour une fois|exceptionnellement) ",
    past: " (?:j'ai|ai|a|avons|ont|est|suis|sont|etait|on a|j'etais) ",
    weekdays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    numbers: &["une?", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"],
    days: &[
        day(When::None, " (?:le|les|tous les|chaque) {weekday}s? "),
        day(When::Day(-2), " avant-hier"),
        day(When::Day(2), " apres-demain"),
        day(When::Day(-1), " hier(?: soir)?"),
        day(When::Day(0), " (?:aujourd'hui|ce (?:matin|soir|midi)|cet apres-midi|cette nuit)"),
        day(When::Day(1), " demain"),
        day(When::Ago, " il y a {number} jours?"),
        day(When::Ahead, " dans {number} jours?"),
        day(When::Week(1), " {weekday} de la semaine prochaine"),
        day(When::Last, " {weekday} dernier"),
        day(When::Coming, " {weekday} prochain"),
        day(When::Nearest, " {weekday}"),
        day(When::Day(0), "^ (?:je viens|on vient) de [a-z]+"),
    ],
};
