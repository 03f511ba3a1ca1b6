//! Tests of the English table: the kept sentences, and the reasons for which others are dropped.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use expect_test::{Expect, expect};
use jiff::civil::date;

use crate::{Limits, Role, read, select};

/// Checks the result of each line, written on a Tuesday.
fn check(lines: &str, expected: &Expect) {
    let mut made = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let reading = select(read(line, Role::User, date(2026, 2, 10)), &Limits::default());
        made.push_str(line);
        made.push('\n');
        for kept in &reading.candidates {
            let session = if kept.session_only { ", for now" } else { "" };
            made.push_str(&format!("  {}{session}: {}\n", kept.category, kept.text));
        }
        for dropped in &reading.dropped {
            made.push_str(&format!("  dropped, {:?} ({})\n", dropped.why, dropped.rule));
        }
    }
    expected.assert_eq(&made);
}

#[test]
fn preferences_and_standing_orders() {
    check(
        "I much prefer trains to planes
        my wife and I enjoy quiet campsites
        we really can't stand karaoke
        I'm more of a tea person, honestly
        not keen on group calls, a mail will do
        what I like most is rye bread
        big meetings drive me nuts
        I've got a weakness for old typewriters
        I never eat before noon
        my favourite season is autumn
        please always answer in Polish
        could you stop apologising all the time?
        don't ever push to the release branch
        when you write a summary, put the costs first
        call me Lou, thanks
        keep explanations short and without jargon
        from now on use kilometres
        can you give prices in yen by default?
        I'd rather hear bad news early
        skip the pleasantries
        tabs over spaces any day",
        &expect![[r#"
            I much prefer trains to planes
              preference: I much prefer trains to planes
            my wife and I enjoy quiet campsites
              preference: my wife and I enjoy quiet campsites
            we really can't stand karaoke
              preference: we really can't stand karaoke
            I'm more of a tea person, honestly
              preference: I'm more of a tea person
            not keen on group calls, a mail will do
              preference: not keen on group calls, a mail will do
            what I like most is rye bread
              preference: what I like most is rye bread
            big meetings drive me nuts
              preference: big meetings drive me nuts
            I've got a weakness for old typewriters
              preference: I've got a weakness for old typewriters
            I never eat before noon
              preference: I never eat before noon
            my favourite season is autumn
              preference: my favourite season is autumn
            please always answer in Polish
              preference: please always answer in Polish
            could you stop apologising all the time?
              preference: could you stop apologising all the time
            don't ever push to the release branch
              preference: don't ever push to the release branch
            when you write a summary, put the costs first
              preference: when you write a summary, put the costs first
            call me Lou, thanks
              preference: call me Lou
            keep explanations short and without jargon
              preference: keep explanations short and without jargon
            from now on use kilometres
              preference: from now on use kilometres
            can you give prices in yen by default?
              preference: can you give prices in yen by default
            I'd rather hear bad news early
              preference: I'd rather hear bad news early
            skip the pleasantries
              preference: skip the pleasantries
            tabs over spaces any day
              preference: tabs over spaces any day
        "#]],
    );
}

#[test]
fn wishes_for_now() {
    check(
        "for this mail please write in Italian
        just this once, skip the tests
        answer in one line today, I'm on a ladder
        until I'm back on Friday only call me in emergencies",
        &expect![[r#"
            for this mail please write in Italian
              preference, for now: for this mail please write in Italian
            just this once, skip the tests
              preference, for now: just this once, skip the tests
            answer in one line today, I'm on a ladder
              preference, for now: answer in one line today
            until I'm back on Friday only call me in emergencies
              preference, for now: until I'm back on Friday only call me in emergencies
        "#]],
    );
}

#[test]
fn facts() {
    check(
        "I'm a glazier in Ulm and I have two daughters
        my name is Wanda, by the way
        our database is MariaDB 11
        I've been a beekeeper since 2011
        my son has asthma
        we don't own a car
        I'm 47, for the form
        I'm allergic to shellfish!
        you should know that I'm deaf in one ear
        I work from home on Fridays
        Thursdays I'm in the archive
        Basque is my first language
        we live in Bath now
        I no longer work for the bank",
        &expect![[r#"
            I'm a glazier in Ulm and I have two daughters
              fact: I'm a glazier in Ulm
              fact: I have two daughters
            my name is Wanda, by the way
              fact: my name is Wanda
            our database is MariaDB 11
              fact: our database is MariaDB 11
            I've been a beekeeper since 2011
              fact: I've been a beekeeper since 2011
            my son has asthma
              fact: my son has asthma
            we don't own a car
              fact: we don't own a car
            I'm 47, for the form
              fact: I'm 47
            I'm allergic to shellfish!
              fact: I'm allergic to shellfish
            you should know that I'm deaf in one ear
              fact: I'm deaf in one ear
            I work from home on Fridays
              fact: I work from home on Fridays
            Thursdays I'm in the archive
              fact: Thursdays I'm in the archive
            Basque is my first language
              fact: Basque is my first language
            we live in Bath now
              fact: we live in Bath now
            I no longer work for the bank
              fact: I no longer work for the bank
        "#]],
    );
}

#[test]
fn decisions() {
    check(
        "we've decided to move the shop to Antwerp
        decision: nobody merges on Fridays
        let's go with the cheaper printer
        I'm not extending the lease
        the board voted to sell the barn
        from May on every order needs two signatures
        we ship on Mondays, that's final
        I've made up my mind, I'm selling the boat
        we won't support version 2 any longer
        option C it is",
        &expect![[r#"
            we've decided to move the shop to Antwerp
              decision: we've decided to move the shop to Antwerp
            decision: nobody merges on Fridays
              decision: decision: nobody merges on Fridays
            let's go with the cheaper printer
              decision: let's go with the cheaper printer
            I'm not extending the lease
              decision: I'm not extending the lease
            the board voted to sell the barn
              decision: the board voted to sell the barn
            from May on every order needs two signatures
              decision: from May on every order needs two signatures
            we ship on Mondays, that's final
              decision: we ship on Mondays
            I've made up my mind, I'm selling the boat
              decision: I'm selling the boat
            we won't support version 2 any longer
              decision: we won't support version 2 any longer
            option C it is
              decision: option C it is
        "#]],
    );
}

#[test]
fn what_happened_and_what_will() {
    check(
        "I sprained my ankle yesterday
        our cellar flooded last night, what a mess
        my sister gave birth this morning!
        the mail server crashed on Sunday
        we signed the lease three days ago
        I start my new job next Tuesday
        my exam is on Thursday
        just got engaged!!
        my bike got stolen",
        &expect![[r#"
            I sprained my ankle yesterday
              episodic: I sprained my ankle yesterday (2026-02-09)
            our cellar flooded last night, what a mess
              episodic: our cellar flooded last night (2026-02-09)
            my sister gave birth this morning!
              episodic: my sister gave birth this morning (2026-02-10)
            the mail server crashed on Sunday
              episodic: the mail server crashed on Sunday (2026-02-08)
            we signed the lease three days ago
              episodic: we signed the lease three days ago (2026-02-07)
            I start my new job next Tuesday
              episodic: I start my new job next Tuesday (2026-02-17)
            my exam is on Thursday
              episodic: my exam is on Thursday (2026-02-12)
            just got engaged!!
              episodic: just (2026-02-10) got engaged
            my bike got stolen
              episodic: my bike got stolen
        "#]],
    );
}

#[test]
fn traps() {
    check(
        "do you prefer the first one
        what people who live in Rome never do
        my boss hates phone calls
        Tim says we decided to wait
        my doctor told me I never sleep enough
        if I lived in Oslo I would ski
        we might switch to Zig one day
        imagine I'm allergic to gold
        I used to smoke, and I loved it
        when I was a student I lived in Gent
        I don't live in Kent
        we haven't decided on a colour
        I'm not allergic to cats
        I live for Fridays",
        &expect![[r#"
            do you prefer the first one
            what people who live in Rome never do
            my boss hates phone calls
            Tim says we decided to wait
              dropped, Reported (decided)
            my doctor told me I never sleep enough
            if I lived in Oslo I would ski
            we might switch to Zig one day
            imagine I'm allergic to gold
            I used to smoke, and I loved it
            when I was a student I lived in Gent
            I don't live in Kent
            we haven't decided on a colour
            I'm not allergic to cats
            I live for Fridays
              dropped, Idiom (live)
        "#]],
    );
}

#[test]
fn small_talk_and_one_off_orders() {
    check(
        "we went for a walk along the canal
        we agreed to disagree
        I'm freezing
        I'm calling the plumber
        switching to the other cable helped
        let's start with the second chapter
        the lodger pays late and never closes his window
        I'd rather not
        I can't sleep
        I'd like the onion soup please
        if you press it, nothing happens
        explain pointers to me
        add a title to the second chart
        I want you to check this lease
        our cat is sitting on the printer
        I thought we agreed on Monday
        no coffee left
        a loft would be perfect, no neighbours above
        I passed my sailing exam yesterday
        talk to me like a colleague, explain things with me in mind
        when you quote prices, add the tax
        we agreed to share the garage
        metric units please
        my favourite printer is the old one
        my brother is getting married tomorrow",
        &expect![[r#"
            we went for a walk along the canal
              dropped, Idiom (decided)
            we agreed to disagree
              dropped, Idiom (decided)
            I'm freezing
            I'm calling the plumber
              dropped, Idiom (doing)
            switching to the other cable helped
              dropped, Idiom (doing)
            let's start with the second chapter
              dropped, Idiom (together)
            the lodger pays late and never closes his window
              dropped, Idiom (order)
            I'd rather not
              dropped, Idiom (taste)
            I can't sleep
              dropped, Idiom (taste)
            I'd like the onion soup please
              dropped, Idiom (order)
            if you press it, nothing happens
              dropped, Idiom (order)
            explain pointers to me
            add a title to the second chart
            I want you to check this lease
              dropped, Command (order)
            our cat is sitting on the printer
              dropped, Idiom (kin)
            I thought we agreed on Monday
              dropped, Hypothetical (decided)
            no coffee left
              dropped, Idiom (order)
            a loft would be perfect, no neighbours above
              dropped, Hypothetical (order)
            I passed my sailing exam yesterday
              episodic: I passed my sailing exam yesterday (2026-02-09)
            talk to me like a colleague, explain things with me in mind
              preference: talk to me like a colleague, explain things with me in mind
            when you quote prices, add the tax
              preference: when you quote prices, add the tax
            we agreed to share the garage
              decision: we agreed to share the garage
            metric units please
              preference: metric units
            my favourite printer is the old one
              preference: my favourite printer is the old one
            my brother is getting married tomorrow
              episodic: my brother is getting married tomorrow (2026-02-11)
        "#]],
    );
}

#[test]
fn other_senses_and_orders_of_the_moment() {
    check(
        "I have a question about my order
        I prefer not to say
        always happy to help
        oh great, I just love waiting in line
        I'm a vampire, I never sleep
        don't touch that file
        call me when it's ready
        make sure it is blue
        we had pizza yesterday and watched the match
        I watched the game last night
        my laptop is broken
        translate this: I live in a small house
        write a story: I moved to the moon yesterday
        I always wondered how glue works
        every time it fails I get an error
        no worries at all
        my pin is 4421 and I always forget it",
        &expect![[r#"
            I have a question about my order
              dropped, LowConfidence (passing)
            I prefer not to say
              dropped, Reported (taste)
            always happy to help
              dropped, Idiom (order)
            oh great, I just love waiting in line
              dropped, Joke (taste)
            I'm a vampire, I never sleep
              dropped, Joke (occupation)
              dropped, Joke (habit)
            don't touch that file
              dropped, Command (order)
            call me when it's ready
              dropped, Command (order)
            make sure it is blue
            we had pizza yesterday and watched the match
            I watched the game last night
              dropped, Idiom (event)
            my laptop is broken
              dropped, Idiom (mine)
            translate this: I live in a small house
              dropped, Quoted (live)
            write a story: I moved to the moon yesterday
              dropped, Quoted (event)
            I always wondered how glue works
            every time it fails I get an error
              dropped, Idiom (arranged)
            no worries at all
              dropped, Idiom (order)
            my pin is 4421 and I always forget it
        "#]],
    );
}
