//! The `kreisel` command.

mod advice;
mod arguments;
mod check;
mod console;
mod export;
mod failure;
mod footing;
mod interrupt;
mod journey;
mod ledger_table;
mod mesh_scene;
mod modes;
mod modes_recording;
mod new_scene;
mod plot;
mod progress;
mod recording_source;
mod render;
mod resume;
mod run;
mod scene_input;
mod settle;
mod solve;
mod solve_input;
mod stand;
mod texts;
mod validate;
mod view;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;

fn main() {
    kreisel_record::keep_large_lists_apart();
    let arguments = Arguments::try_parse().unwrap_or_else(|error| {
        let scene = std::env::args().nth(1).filter(|word| scene_input::is_scene(word));
        let forgot_run = error.kind() == clap::error::ErrorKind::InvalidSubcommand;
        let _ = error.print();
        if let Some(scene) = scene.filter(|_| forgot_run) {
            console::complain(&format!("help: to run this scene, write `kreisel run {scene}`"));
        }
        std::process::exit(error.exit_code());
    });
    let code = dispatch(arguments.command).unwrap_or_else(|failure| {
        console::complain(&failure.text);
        failure.code
    });
    std::process::exit(code);
}

fn dispatch(command: Option<Command>) -> Result<i32, Failure> {
    match command {
        None => view::gallery(),
        Some(Command::Run(arguments)) => run::run(&arguments),
        Some(Command::Settle(arguments)) => settle::settle(&arguments),
        Some(Command::Resume(arguments)) => resume::resume(&arguments),
        Some(Command::Render(arguments)) => render::render(&arguments),
        Some(Command::Plot(arguments)) => plot::plot(&arguments),
        Some(Command::Check(arguments)) => check::check(&arguments),
        Some(Command::Modes(arguments)) => modes::modes(&arguments),
        Some(Command::Scenes { long }) => texts::scenes(long),
        Some(Command::Schema { markdown }) => texts::schema(markdown),
        Some(Command::New { file, out }) => new_scene::new_scene(&file, out.as_deref()),
        Some(Command::Export(arguments)) => export::run(&arguments),
        Some(Command::Solve(arguments)) => solve::solve(&arguments),
        Some(Command::View(arguments)) => view::view(&arguments),
        Some(Command::Validate { list: true, .. }) => Ok(validate::list()),
        Some(Command::Validate { cases, quick, json, markdown, .. }) => {
            let form = match (json, markdown) {
                (true, _) => validate::Form::Json,
                (_, true) => validate::Form::Markdown,
                _ => validate::Form::Table,
            };
            Ok(validate::run(&cases, quick, form))
        }
    }
}
