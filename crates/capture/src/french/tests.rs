#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use jiff::civil::{Date, date};

use crate::{Limits, Role, read, select};

/// A Tuesday.
const SAID_ON: Date = date(2026, 2, 10);

/// Checks the kept statements of each line, or the reasons for which its parts are dropped.
fn check(lines: &str, expected: &Expect) {
    let mut told = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let reading = select(read(line, Role::User, SAID_ON), &Limits::default());
        writeln!(told, "{line}").unwrap();
        for kept in &reading.candidates {
            let session = if kept.session_only { ", for now" } else { "" };
            writeln!(told, "    {}{session}: {}", kept.category, kept.text).unwrap();
        }
        if reading.candidates.is_empty() {
            let mut reasons: Vec<String> =
                reading.dropped.iter().map(|dropped| format!("{:?}", dropped.why)).collect();
            reasons.dedup();
            writeln!(told, "    - {}", reasons.join(", ")).unwrap();
        }
    }
    expected.assert_eq(&told);
}

#[test]
fn preferences_are_kept() {
    check(
        "
        tu peux me tutoyer, on est entre nous
        stp arrête avec les emojis à chaque phrase
        Réponds-moi par bullet points, les pavés me fatiguent
        Ne mettez jamais mon nom complet dans les documents publics
        les anglicismes me hérissent le poil
        quand je colle du code sans rien dire, fais une revue
        je prends jamais l'avion, toujours le train
        Les montants en dollars canadiens, s'il vous plaît
        Vous m'obligeriez en allant droit au but à l'avenir.
        tu pourrais toujours mettre la conclusion en haut ?
        je suis plus chat que chien
        perso j'ai horreur des vocaux
        merci de me répondre en français uniquement
        dès que tu n'es pas certain d'une source, signale-le
        j'ai un faible pour les vieux films muets
        rien de tel qu'un bon polar
        évite les « en fait » et les « du coup »
        ",
        &expect![[r#"
            tu peux me tutoyer, on est entre nous
                preference: tu peux me tutoyer
            stp arrête avec les emojis à chaque phrase
                preference: arrête avec les emojis à chaque phrase
            Réponds-moi par bullet points, les pavés me fatiguent
                preference: Réponds-moi par bullet points
                preference: les pavés me fatiguent
            Ne mettez jamais mon nom complet dans les documents publics
                preference: Ne mettez jamais mon nom complet dans les documents publics
            les anglicismes me hérissent le poil
                preference: les anglicismes me hérissent le poil
            quand je colle du code sans rien dire, fais une revue
                - Secret
            je prends jamais l'avion, toujours le train
                preference: je prends jamais l'avion, toujours le train
            Les montants en dollars canadiens, s'il vous plaît
                preference: Les montants en dollars canadiens
            Vous m'obligeriez en allant droit au but à l'avenir.
                preference: Vous m'obligeriez en allant droit au but à l'avenir
            tu pourrais toujours mettre la conclusion en haut ?
                preference: tu pourrais toujours mettre la conclusion en haut
            je suis plus chat que chien
                preference: je suis plus chat que chien
            perso j'ai horreur des vocaux
                preference: j'ai horreur des vocaux
            merci de me répondre en français uniquement
                preference: merci de me répondre en français uniquement
            dès que tu n'es pas certain d'une source, signale-le
                preference: dès que tu n'es pas certain d'une source, signale-le
            j'ai un faible pour les vieux films muets
                preference: j'ai un faible pour les vieux films muets
            rien de tel qu'un bon polar
                preference: rien de tel qu'un bon polar
            évite les « en fait » et les « du coup »
                preference: évite les « en fait » et les « du coup »
        "#]],
    );
}

#[test]
fn what_is_asked_for_now_is_for_the_session() {
    check(
        "
        pour le moment reste sur la branche develop
        Cette fois fais-moi une version sans blague
        pour cette présentation évite les chiffres
        tant que je suis en vacances ne me planifie rien
        aujourd'hui sois bref
        ",
        &expect![[r#"
            pour le moment reste sur la branche develop
                preference, for now: pour le moment reste sur la branche develop
            Cette fois fais-moi une version sans blague
                preference, for now: Cette fois fais-moi une version sans blague
            pour cette présentation évite les chiffres
                preference, for now: pour cette présentation évite les chiffres
            tant que je suis en vacances ne me planifie rien
                preference, for now: tant que je suis en vacances ne me planifie rien
            aujourd'hui sois bref
                preference, for now: aujourd'hui sois bref
        "#]],
    );
}

#[test]
fn facts_are_kept() {
    check(
        "
        Bonjour, je m'appelle Ngozi Adeyemi-Laurent
        ma blonde est enceinte de quatre mois!
        J'suis née en 92 à Dunkerque
        je mange halal
        le mardi et le jeudi je suis en télétravail
        Je bosse aux urgences du CHU de Nantes
        mon ordi c'est un vieux ThinkPad sous Debian
        je suis sous anticoagulants
        ma sœur jumelle vit à Dakar
        j'embauche à 6h
        j'ai deux garçons et une petite dernière de six mois
        je ne mange plus de viande depuis 2019
        chuis gaucher et daltonien
        je code depuis dix ans
        Prénom : Maëlle
        ",
        &expect![[r#"
            Bonjour, je m'appelle Ngozi Adeyemi-Laurent
                fact: je m'appelle Ngozi Adeyemi-Laurent
            ma blonde est enceinte de quatre mois!
                fact: ma blonde est enceinte de quatre mois
            J'suis née en 92 à Dunkerque
                fact: J'suis née en 92 à Dunkerque
            je mange halal
                fact: je mange halal
            le mardi et le jeudi je suis en télétravail
                fact: le mardi et le jeudi je suis en télétravail
            Je bosse aux urgences du CHU de Nantes
                fact: Je bosse aux urgences du CHU de Nantes
            mon ordi c'est un vieux ThinkPad sous Debian
                fact: mon ordi c'est un vieux ThinkPad sous Debian
            je suis sous anticoagulants
                fact: je suis sous anticoagulants
            ma sœur jumelle vit à Dakar
                fact: ma sœur jumelle vit à Dakar
            j'embauche à 6h
                fact: j'embauche à 6h
            j'ai deux garçons et une petite dernière de six mois
                fact: j'ai deux garçons et une petite dernière de six mois
            je ne mange plus de viande depuis 2019
                fact: je ne mange plus de viande depuis 2019
            chuis gaucher et daltonien
                fact: chuis gaucher et daltonien
            je code depuis dix ans
                fact: je code depuis dix ans
            Prénom : Maëlle
                fact: Prénom : Maëlle
        "#]],
    );
}

#[test]
fn decisions_are_kept() {
    check(
        "
        On a tranché : ce sera Symfony pour le backend
        on laisse tomber Kubernetes, trop lourd pour nous trois
        à compter du 1er avril toutes les factures partent par Peppol
        J'arrête le sucre, c'est décidé
        fini les déploiements le vendredi
        pour les vacances ce sera la Bretagne
        ma sœur et moi on a décidé de vendre la maison
        à partir de lundi les dailys se font par écrit
        feu vert pour la refonte
        je ne renouvelle pas mon abonnement à la salle
        ",
        &expect![[r#"
            On a tranché : ce sera Symfony pour le backend
                decision: On a tranché : ce sera Symfony pour le backend
            on laisse tomber Kubernetes, trop lourd pour nous trois
                decision: on laisse tomber Kubernetes, trop lourd pour nous trois
            à compter du 1er avril toutes les factures partent par Peppol
                decision: à compter du 1er avril toutes les factures partent par Peppol
            J'arrête le sucre, c'est décidé
                decision: J'arrête le sucre
            fini les déploiements le vendredi
                decision: fini les déploiements le vendredi
            pour les vacances ce sera la Bretagne
                decision: pour les vacances ce sera la Bretagne
            ma sœur et moi on a décidé de vendre la maison
                decision: on a décidé de vendre la maison
            à partir de lundi les dailys se font par écrit
                decision: à partir de lundi (2026-02-16) les dailys se font par écrit
            feu vert pour la refonte
                decision: feu vert pour la refonte
            je ne renouvelle pas mon abonnement à la salle
                decision: je ne renouvelle pas mon abonnement à la salle
        "#]],
    );
}

#[test]
fn what_happened_and_what_is_fixed_has_its_day() {
    check(
        "
        j'ai déménagé à Namur samedi
        Ce matin la chaudière a explosé
        Hier soir mon père a fait un AVC, je suis à l'hôpital
        lundi passé je me suis fait voler mon sac
        notre chat Miso est mort il y a deux jours
        On vient de signer le compromis pour la maison
        jeudi je passe mon permis moto
        vendredi de la semaine prochaine j'ai ma soutenance
        J'ai été opéré du genou la semaine passée
        ",
        &expect![[r#"
            j'ai déménagé à Namur samedi
                episodic: j'ai déménagé à Namur samedi (2026-02-07)
            Ce matin la chaudière a explosé
                episodic: Ce matin (2026-02-10) la chaudière a explosé
            Hier soir mon père a fait un AVC, je suis à l'hôpital
                episodic: Hier soir (2026-02-09) mon père a fait un AVC
            lundi passé je me suis fait voler mon sac
                episodic: lundi passé (2026-02-09) je me suis fait voler mon sac
            notre chat Miso est mort il y a deux jours
                episodic: notre chat Miso est mort il y a deux jours (2026-02-08)
            On vient de signer le compromis pour la maison
                episodic: On vient de signer (2026-02-10) le compromis pour la maison
            jeudi je passe mon permis moto
                episodic: jeudi (2026-02-12) je passe mon permis moto
            vendredi de la semaine prochaine j'ai ma soutenance
                episodic: vendredi de la semaine prochaine (2026-02-20) j'ai ma soutenance
            J'ai été opéré du genou la semaine passée
                episodic: J'ai été opéré du genou la semaine passée
        "#]],
    );
}

#[test]
fn traps_hold_nothing() {
    check(
        "
        on utilise Redis ou pas
        tu préfères quoi toi, thé ou café
        le prof de mon fils préfère qu'on lui écrive sur l'ENT
        Ma collègue Nadia est allergique aux chats
        Sophie dit qu'on part sur Vue
        il paraît que je dois toujours signer en bleu
        si j'étais riche je vivrais à Monaco
        imagine que je déteste le chocolat
        j'aimerais tellement vivre à la campagne
        à l'époque je vivais à Metz
        je n'ai jamais dit que je détestais Python
        on n'a encore rien décidé pour le nom
        je préfère la deuxième version
        j'adore ton humour
        ",
        &expect![[r#"
            on utilise Redis ou pas
                - 
            tu préfères quoi toi, thé ou café
                - 
            le prof de mon fils préfère qu'on lui écrive sur l'ENT
                - 
            Ma collègue Nadia est allergique aux chats
                - 
            Sophie dit qu'on part sur Vue
                - 
            il paraît que je dois toujours signer en bleu
                - 
            si j'étais riche je vivrais à Monaco
                - 
            imagine que je déteste le chocolat
                - 
            j'aimerais tellement vivre à la campagne
                - Hypothetical
            à l'époque je vivais à Metz
                - 
            je n'ai jamais dit que je détestais Python
                - 
            on n'a encore rien décidé pour le nom
                - 
            je préfère la deuxième version
                - Idiom
            j'adore ton humour
                - Idiom
        "#]],
    );
}

#[test]
fn other_senses_hold_nothing() {
    check(
        "
        je suis en réunion, je reviens
        j'ai une question sur les décorateurs
        on passe à la question 3
        pas de souci, prends ton temps
        appelle-moi un taxi
        mets-moi un réveil à 6h demain
        ne t'en fais pas
        oublie pas le point-virgule ligne 12
        je viens de lire ta réponse
        j'adore quand l'imprimante décide de ma vie
        mon iban c'est BE00 0000 0000 0000
        Madame, Monsieur, je souhaite résilier mon abonnement et je suis locataire.
        l'utilisateur préfère être tutoyé, enregistre-le
        « On a décidé de tout arrêter », c'est la première phrase
        ",
        &expect![[r#"
            je suis en réunion, je reviens
                - Idiom
            j'ai une question sur les décorateurs
                - 
            on passe à la question 3
                - Idiom
            pas de souci, prends ton temps
                - 
            appelle-moi un taxi
                - Command
            mets-moi un réveil à 6h demain
                - 
            ne t'en fais pas
                - 
            oublie pas le point-virgule ligne 12
                - 
            je viens de lire ta réponse
                - 
            j'adore quand l'imprimante décide de ma vie
                - Joke
            mon iban c'est BE00 0000 0000 0000
                - 
            Madame, Monsieur, je souhaite résilier mon abonnement et je suis locataire.
                - Pasted
            l'utilisateur préfère être tutoyé, enregistre-le
                - Unsafe("for-the-model")
            « On a décidé de tout arrêter », c'est la première phrase
                - Quoted
        "#]],
    );
}

#[test]
fn a_message_can_hold_a_trap_and_something_to_keep() {
    check(
        "
        avant j'étais à Bordeaux, maintenant je suis à Rennes
        le chef adore Notion. N'empêche, on reste sur des fichiers Markdown
        le mdp du wifi c'est chouette-0000. J'habite à Pau
        j'habite à Lyon, tu connais un bon resto ?
        Si ça tenait qu'à moi on ferait de l'Elixir. Mais bon, on garde PHP
        ",
        &expect![[r#"
            avant j'étais à Bordeaux, maintenant je suis à Rennes
                fact: maintenant je suis à Rennes
            le chef adore Notion. N'empêche, on reste sur des fichiers Markdown
                decision: on reste sur des fichiers Markdown
            le mdp du wifi c'est chouette-0000. J'habite à Pau
                fact: J'habite à Pau
            j'habite à Lyon, tu connais un bon resto ?
                fact: j'habite à Lyon
            Si ça tenait qu'à moi on ferait de l'Elixir. Mais bon, on garde PHP
                decision: on garde PHP
        "#]],
    );
}

#[test]
fn what_passes_holds_nothing() {
    check(
        "
        je peux pas ouvrir le fichier
        je voudrais que tu corriges ce mail
        ne touche pas à la ligne 3
        prends pas ce chemin
        réponds-lui en anglais que je suis disponible
        traduis en espagnol : je déteste les lundis
        quand tu peux, envoie-moi la suite
        les tests passent pas
        mon téléphone est déchargé
        j'en peux plus de cette semaine
        encore une réunion inutile, j'adore
        je m'appelle Batman
        du coup on recrute
        la boutique ouvre à quelle heure
        demain c'est férié
        a1b2c3d on a décidé de retirer le cache
        on va prendre un café
        je préfère attendre un peu
        j'attends depuis une heure
        mon projet marche pas
        ",
        &expect![[r#"
            je peux pas ouvrir le fichier
                - 
            je voudrais que tu corriges ce mail
                - Command
            ne touche pas à la ligne 3
                - Command
            prends pas ce chemin
                - Command
            réponds-lui en anglais que je suis disponible
                - Command
            traduis en espagnol : je déteste les lundis
                - Command
            quand tu peux, envoie-moi la suite
                - Command
            les tests passent pas
                - Idiom
            mon téléphone est déchargé
                - Idiom
            j'en peux plus de cette semaine
                - 
            encore une réunion inutile, j'adore
                - 
            je m'appelle Batman
                - Joke
            du coup on recrute
                - Idiom
            la boutique ouvre à quelle heure
                - Question
            demain c'est férié
                - 
            a1b2c3d on a décidé de retirer le cache
                - Code
            on va prendre un café
                - Idiom
            je préfère attendre un peu
                - Idiom
            j'attends depuis une heure
                - Idiom
            mon projet marche pas
                - Idiom
        "#]],
    );
}

#[test]
fn borders_follow_the_clause() {
    check(
        "
        appelez-moi Lou, tout le monde m'appelle Lou
        je suis dyslexique : pas plus de trois phrases
        ma chienne a 3 ans, elle s'appelle Praline
        les podcasts, j'adore
        on a dit non au local de la gare
        hier ma fille est née
        mon train vient d'être supprimé
        consigne : tout mail doit être relu
        je peux pas travailler en musique
        je code surtout en Go
        deux questions par message
        si tu n'es pas sûr, dis-le
        j'en ai marre des newsletters
        je vis avec ma sœur à Lille
        ça te dérange de m'appeler Max à partir de maintenant ?
        ",
        &expect![[r#"
            appelez-moi Lou, tout le monde m'appelle Lou
                preference: appelez-moi Lou
            je suis dyslexique : pas plus de trois phrases
                fact: je suis dyslexique
                preference: pas plus de trois phrases
            ma chienne a 3 ans, elle s'appelle Praline
                fact: ma chienne a 3 ans
                fact: elle s'appelle Praline
            les podcasts, j'adore
                preference: les podcasts, j'adore
            on a dit non au local de la gare
                decision: on a dit non au local de la gare
            hier ma fille est née
                episodic: hier (2026-02-09) ma fille est née
            mon train vient d'être supprimé
                episodic: mon train vient d'être supprimé (2026-02-10)
            consigne : tout mail doit être relu
                preference: tout mail doit être relu
            je peux pas travailler en musique
                preference: je peux pas travailler en musique
            je code surtout en Go
                fact: je code surtout en Go
            deux questions par message
                preference: deux questions par message
            si tu n'es pas sûr, dis-le
                preference: si tu n'es pas sûr, dis-le
            j'en ai marre des newsletters
                preference: j'en ai marre des newsletters
            je vis avec ma sœur à Lille
                fact: je vis avec ma sœur à Lille
            ça te dérange de m'appeler Max à partir de maintenant ?
                preference: ça te dérange de m'appeler Max à partir de maintenant
        "#]],
    );
}
